import type { DiskState } from '../../lib/api/schemas.ts'
import { bytesText } from '../../ui/bytes.tsx'
import { classes } from '../../ui/classes.ts'
import { kindLooks } from './kinds.ts'

interface Part {
  readonly name: string
  readonly bytes: number
  readonly fill: string
}

/** What the disk holds from left to right: what is kept here, what others have on it, and what is free. */
function partsOf({ kinds, freeBytes, totalBytes }: DiskState): readonly Part[] {
  const kept = kinds
    .filter(({ isHere, bytes }) => isHere && bytes !== null && bytes > 0)
    .map(({ kind, bytes }) => ({ name: kindLooks[kind].label, bytes: bytes ?? 0, fill: kindLooks[kind].fill }))
  const known = kept.reduce((sum, { bytes }) => sum + bytes, 0)
  const others = Math.max(0, totalBytes - freeBytes - known)
  return [
    ...kept,
    { name: 'Everything else', bytes: others, fill: 'bg-ink-3 opacity-30' },
    { name: 'Free', bytes: freeBytes, fill: 'bg-sunken' },
  ]
}

/** The disk as a bar; the table below has its numbers. */
export function SpaceBar({ disk }: { readonly disk: DiskState }) {
  const parts = partsOf(disk)
  const label = parts.map(({ name, bytes }) => `${name} ${bytesText(bytes)}`).join(', ')
  return (
    <div role="img" aria-label={label} className="flex h-4 overflow-hidden rounded-small border border-line">
      {parts.map(({ name, bytes, fill }) => (
        <span
          key={name}
          title={`${name}: ${bytesText(bytes)}`}
          className={classes('h-full', fill)}
          style={{ flexGrow: bytes, flexBasis: 0 }}
        />
      ))}
    </div>
  )
}
