import type { ChangedMeanwhile } from './use-draft.ts'

/** Says what another operator has saved since a draft was begun, and what becomes of it. */
export function Meanwhile({ by, taken, kept }: ChangedMeanwhile) {
  return (
    <p role="status" className="wrap-anywhere text-warn">
      {by === '' ? 'Another operator' : by} has saved a change meanwhile.
      {taken.length > 0 && ` It is in your draft: ${taken.join(', ')}.`}
      {kept.length > 0 &&
        ` Where you both changed something, yours stays, and saving replaces theirs: ${kept.join(', ')}.`}
    </p>
  )
}
