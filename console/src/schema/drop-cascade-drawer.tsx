import { useState } from 'react'
import type { SchemaChange } from '../lib/api/schema.ts'
import { Tick } from '../ui/tick.tsx'
import { ChangeDrawer } from './change-drawer.tsx'

interface DropCascadeDrawerProps {
  readonly name: string
  /** The change, with and without what depends on it. */
  readonly changeOf: (cascade: boolean) => SchemaChange
  /** What goes with it, where that is asked for. */
  readonly dependents?: string
  readonly about?: string
  readonly onApplied: () => void
  readonly onClose: () => void
}

/** Asks for the name of what is dropped, and whether what depends on it goes along. */
export function DropCascadeDrawer({ name, changeOf, dependents, about, onApplied, onClose }: DropCascadeDrawerProps) {
  const [cascade, setCascade] = useState(false)
  return (
    <ChangeDrawer
      title={`Drop ${name}`}
      action="Drop"
      confirm={name}
      changes={[changeOf(cascade)]}
      onApplied={onApplied}
      onClose={onClose}
    >
      {about && <p>{about}</p>}
      <Tick label={dependents ?? 'Drop what depends on it along with it'} on={cascade} onToggle={setCascade} />
    </ChangeDrawer>
  )
}
