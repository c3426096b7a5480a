import { Fragment } from 'react'
import { type KeyGroup, showKeys, useKeyGroups } from '../lib/keyboard.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Kbd } from '../ui/kbd.tsx'

// Lists, filters and drawers bind their keys themselves, wherever they stand.
const lists: KeyGroup = {
  title: 'In a list',
  bindings: [
    { keys: '/', label: 'Filter' },
    { keys: 'j', label: 'Next' },
    { keys: 'k', label: 'Previous' },
    { keys: 'Enter', label: 'Open' },
    { keys: 'Escape', label: 'Close' },
  ],
}

/** Lists the keys that work on this screen. */
export function KeySheet({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const groups = useKeyGroups()
  return (
    <Dialog open={open} onClose={onClose} title="Keys">
      <div className="grid gap-5">
        {[...groups, lists].map((group) => (
          <section key={group.title}>
            <h3 className="mb-1.5 font-medium text-ink-2 text-sm">{group.title}</h3>
            <dl className="grid grid-cols-[1fr_auto] gap-y-1">
              {group.bindings.map(({ keys, label }) => (
                <Fragment key={`${keys} ${label}`}>
                  <dt>{label}</dt>
                  <dd className="text-right">
                    <Kbd>{showKeys(keys)}</Kbd>
                  </dd>
                </Fragment>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
