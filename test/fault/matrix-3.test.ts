import { describeMatrix, PARTS } from "./matrix/matrix.ts";

describeMatrix(PARTS[2] ?? []);
