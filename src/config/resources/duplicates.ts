import type { ProblemDetail, Problems } from "../problems.ts";
import type { Member, TreePosition } from "../tree/tree.ts";

/** Collects what one section of a document, such as an organization, declares again. */
export interface Duplicates {
  readonly add: (again: TreePosition, first: TreePosition, detail: ProblemDetail) => void;
  /** Reports each of them, or the two files if they have most of the section in common. */
  readonly report: (problems: Problems) => void;
}

/** With more duplicates, one of two files is a copy of the other, such as an old export. */
const MOST_SINGLE = 5;

interface Duplicate {
  readonly again: TreePosition;
  readonly detail: ProblemDetail;
}

/** Makes an empty collection. @param section the key of the section, such as `acme` */
export function collectDuplicates(section: Member): Duplicates {
  const byFile = new Map<string, Duplicate[]>();
  return {
    add: (again, first, detail) => {
      const { file } = first.source;
      byFile.set(file, [...(byFile.get(file) ?? []), { again, detail }]);
    },
    report: (problems) => {
      for (const [file, found] of byFile) {
        if (file !== section.source.file && found.length > MOST_SINGLE) reportCopy(section, file, found, problems);
        else for (const { again, detail } of found) problems.error(again, detail);
      }
    },
  };
}

function reportCopy(section: Member, file: string, found: readonly Duplicate[], problems: Problems): void {
  const { key } = section;
  problems.error(section, {
    code: "duplicate_organization",
    message: `${file} declares the organization ${key} too: ${String(found.length)} of its fields and resources are in both files`,
    hint: "Remove one of the two files if it is a copy, such as an old export, or move it out of the folder.",
    address: key,
  });
}
