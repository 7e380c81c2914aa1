export const config = { driftline: 1 };
