import { useState } from 'react'
import type { RowPast } from '../../lib/api/schemas.ts'
import { useRights } from '../../lib/rights.ts'
import { rowName } from '../change-lines.tsx'
import { RowHistory } from '../row-history.tsx'
import { UndoDialog } from './undo-dialog.tsx'

/** A row's past, each change of which can be taken back: alone, or with those after it. */
export function UndoableHistory({ past }: { readonly past: RowPast }) {
  const { canChange } = useRights()
  const [undone, setUndone] = useState<string>()
  const at = past.entries.findIndex(({ change }) => change.id === undone)
  const change = past.entries[at]?.change
  return (
    <>
      <RowHistory past={past} onUndo={canChange ? ({ id }) => setUndone(id) : undefined} />
      <UndoDialog
        open={change !== undefined}
        onClose={() => setUndone(undefined)}
        title={change ? `Undo a change of ${rowName(change)}` : ''}
        changes={change ? [change] : []}
        // Newest first in the history.
        withLater={past.entries
          .slice(0, at + 1)
          .map((entry) => entry.change)
          .toReversed()}
      />
    </>
  )
}
