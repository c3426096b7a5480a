import { Ellipsis } from 'lucide-react'
import type { StorageEntry } from '../../../../lib/api/schemas.ts'
import { inBackground } from '../../../../lib/in-background.ts'
import { Button } from '../../../../ui/button.tsx'
import { copyText } from '../../../../ui/copy-text.ts'
import { Menu } from '../../../../ui/menu.tsx'
import { useToast } from '../../../../ui/toast.tsx'
import { type EntryActions, nameIn } from './entries.ts'

interface EntryMenuProps extends Pick<EntryActions, 'onMove' | 'onRemove'> {
  readonly bucketId: string
  readonly folder: string
  readonly entry: Pick<StorageEntry, 'key'>
  readonly canChange: boolean
}

/** What may be done with a folder or an object without opening it. */
export function EntryMenu({ bucketId, folder, entry, canChange, onMove, onRemove }: EntryMenuProps) {
  const toast = useToast()
  const { key } = entry
  const copy = () =>
    inBackground(copyText(`${bucketId}/${key}`).then(() => void toast.add({ title: 'The path is copied.' })))
  return (
    <Menu
      trigger={
        <Button look="bare" size="icon" aria-label={`Actions for ${nameIn(folder, entry)}`}>
          <Ellipsis aria-hidden="true" className="size-4" />
        </Button>
      }
      items={[
        { label: 'Copy the path', onSelect: copy },
        ...(canChange
          ? [
              { label: 'Rename or move', onSelect: () => onMove(key) },
              { label: 'Delete', onSelect: () => onRemove([key]), danger: true },
            ]
          : []),
      ]}
    />
  )
}
