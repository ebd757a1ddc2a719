/** How a memory is called on all devices: by what it first said, so that the same statement is the same memory. */
import { communicationUri, type Revision, type Store, type SyncSubject } from "#domain";
import { sha256 } from "#kit";

const emptySubject = (subject: string): SyncSubject => ({
  subject,
  nodeId: null,
  latest: "",
  forgotten: null,
  forgetAt: null,
  place: null,
  slot: null,
  isCurrent: false,
  said: "",
  createdAt: 0,
  mergedInto: null,
  uses: {},
  usedAt: null,
});

export const subjectAt = ({ sync }: Store, subject: string): SyncSubject =>
  sync.subject(subject) ?? emptySubject(subject);

export const slotKey = (project: string | null, slot: string | null): string | null =>
  slot === null ? null : `${project ?? ""}\n${slot}`;

/** The subject of a memory that is told for the first time: the first of its name that is no other memory here. */
export function newSubject(store: Store, revision: Revision): SyncSubject {
  const [mark] = store.sync.marksOf(revision.l0);
  const about = revision.fields.uri === communicationUri ? communicationUri : (mark ?? revision.l0);
  for (let n = 0; ; n += 1) {
    const subject = sha256(JSON.stringify([about, revision.fields.project, n]));
    const row = subjectAt(store, subject);
    if (row.nodeId === null || row.nodeId === revision.nodeId) return row;
  }
}
