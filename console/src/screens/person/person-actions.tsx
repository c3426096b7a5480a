import { useState } from 'react'
import type { PersonDetail } from '../../lib/api/schemas.ts'
import { useRights } from '../../lib/rights.ts'
import { Button } from '../../ui/button.tsx'
import { EraseDialog } from './erase-dialog.tsx'
import { SplitDialog } from './split-dialog.tsx'

/** What can be done with a person: ids are separated from them, all that is stored of them is erased. */
export function PersonActions({ detail }: { readonly detail: PersonDetail }) {
  const { canChange, canProtect } = useRights()
  const [dialog, setDialog] = useState<'split' | 'erase'>()
  const close = () => setDialog(undefined)
  return (
    <>
      {canChange && detail.idCount > 1 && <Button onClick={() => setDialog('split')}>Separate ids</Button>}
      {canProtect && (
        <Button look="danger" onClick={() => setDialog('erase')}>
          Erase
        </Button>
      )}
      {dialog === 'split' && <SplitDialog detail={detail} onClose={close} />}
      {dialog === 'erase' && <EraseDialog person={detail.person} onClose={close} />}
    </>
  )
}
