import { Link } from '@tanstack/react-router'
import { Eye } from 'lucide-react'
import { useState } from 'react'
import type { Table } from '../../../lib/api/schemas.ts'
import { UserPicker } from '../../../lib/users/user-picker.tsx'
import { Button, buttonClasses } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { callerName, type TableCaller, whySearch } from './caller.ts'

interface ViewAsProps {
  readonly caller: TableCaller | undefined
  /** @param caller absent for the operator's own view */
  readonly onCaller: (caller: TableCaller | undefined) => void
}

/** Chooses in whose place rows are read. */
export function ViewAsMenu({ caller, onCaller }: ViewAsProps) {
  const [isPicking, setPicking] = useState(false)
  return (
    <>
      <Menu
        trigger={
          <Button look="bare" size="small" aria-pressed={caller !== undefined} aria-label="View as" title="View as">
            <Eye aria-hidden="true" className="size-3.5" />
            <span className="max-sheet:hidden">View as</span>
          </Button>
        }
        items={[
          ...(caller ? [{ label: 'myself: all rows', onSelect: () => onCaller(undefined) }] : []),
          { label: 'anon, nobody signed in', onSelect: () => onCaller({ as: 'anon' }) },
          { label: 'a user…', onSelect: () => setPicking(true) },
          { label: 'authenticated, without a user', onSelect: () => onCaller({ as: 'authenticated' }) },
          { label: 'service_role', onSelect: () => onCaller({ as: 'service_role' }) },
        ]}
      />
      <Dialog open={isPicking} onClose={() => setPicking(false)} title="View as a user">
        <UserPicker
          label="User"
          onPick={({ id, email }) => {
            setPicking(false)
            onCaller({ as: 'user', user: email ?? id })
          }}
        />
      </Dialog>
    </>
  )
}

interface ViewAsBannerProps extends Pick<ViewAsProps, 'onCaller'> {
  readonly caller: TableCaller
  readonly table: Table
  readonly filter: readonly string[]
}

/** Says that these are the rows of another one, which cannot be changed from here. */
export function ViewAsBanner({ caller, table, filter, onCaller }: ViewAsBannerProps) {
  return (
    <div
      role="status"
      className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b bg-sunken px-4 py-1"
    >
      <span className="min-w-0 flex-1">
        These are the rows that <b className="mono font-medium">{callerName(caller)}</b> is shown. They cannot be
        changed here.
      </span>
      <Link to="/requests/why" search={whySearch(table, filter, caller)} className={buttonClasses('bare', 'small')}>
        Why?
      </Link>
      <Button size="small" onClick={() => onCaller(undefined)}>
        Show all rows
      </Button>
    </div>
  )
}
