import type { SchemaChange } from '../../lib/api/schema.ts'
import { ChangeDrawer } from '../../schema/change-drawer.tsx'

interface DropDrawerProps {
  readonly name: string
  readonly change: SchemaChange
  /** What is no more once it is dropped. */
  readonly about: string
  readonly onClose: () => void
}

/** Asks before something is dropped that can be made again by its definition. */
export function DropDrawer({ name, change, about, onClose }: DropDrawerProps) {
  return (
    <ChangeDrawer title={`Drop ${name}`} action="Drop" changes={[change]} onClose={onClose}>
      <p>{about}</p>
    </ChangeDrawer>
  )
}
