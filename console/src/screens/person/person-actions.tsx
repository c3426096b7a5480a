import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { HoldDialog } from '../../holds/hold-dialog.tsx'
import type { PersonDetail } from '../../lib/api/schemas.ts'
import { useRights } from '../../lib/rights.ts'
import { Button, buttonClasses } from '../../ui/button.tsx'
import { SplitDialog } from './split-dialog.tsx'

/** What can be done with a person: ids are separated from them, all that is kept of them is held, exported or erased. */
export function PersonActions({ detail }: { readonly detail: PersonDetail }) {
  const { canChange, canProtect } = useRights()
  const [opened, setOpened] = useState<'split' | 'hold'>()
  const close = () => setOpened(undefined)
  return (
    <>
      {canChange && detail.idCount > 1 && <Button onClick={() => setOpened('split')}>Separate ids</Button>}
      {canProtect && <Button onClick={() => setOpened('hold')}>Hold</Button>}
      {canProtect && (
        <Link
          to="/settings/privacy/erase"
          search={{ kind: 'person', id: detail.person.id }}
          className={buttonClasses('danger')}
        >
          Erase or export
        </Link>
      )}
      {opened === 'split' && <SplitDialog detail={detail} onClose={close} />}
      {opened === 'hold' && <HoldDialog on={{ kind: 'person', id: detail.person.id }} onClose={close} />}
    </>
  )
}
