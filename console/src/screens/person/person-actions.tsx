import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { PersonDetail } from '../../lib/api/schemas.ts'
import { useRights } from '../../lib/rights.ts'
import { Button, buttonClasses } from '../../ui/button.tsx'
import { SplitDialog } from './split-dialog.tsx'

/** What can be done with a person: ids are separated from them, all that is kept of them is exported or erased. */
export function PersonActions({ detail }: { readonly detail: PersonDetail }) {
  const { canChange, canProtect } = useRights()
  const [isSplitting, setSplitting] = useState(false)
  return (
    <>
      {canChange && detail.idCount > 1 && <Button onClick={() => setSplitting(true)}>Separate ids</Button>}
      {canProtect && (
        <Link
          to="/audit"
          search={{ about: [detail.person.id, detail.person.userId].filter((id) => id !== null).join() }}
          className={buttonClasses('bare')}
        >
          Who looked
        </Link>
      )}
      {canProtect && (
        <Link
          to="/settings/privacy/erase"
          search={{ kind: 'person', id: detail.person.id }}
          className={buttonClasses('danger')}
        >
          Erase or export
        </Link>
      )}
      {isSplitting && <SplitDialog detail={detail} onClose={() => setSplitting(false)} />}
    </>
  )
}
