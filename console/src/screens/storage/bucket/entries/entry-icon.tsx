import { File, FileArchive, FileAudio, FileImage, FileText, FileVideo, Folder, type LucideIcon } from 'lucide-react'
import type { StorageEntry } from '../../../../lib/api/schemas.ts'

const icons: readonly (readonly [RegExp, LucideIcon])[] = [
  [/^image\//, FileImage],
  [/^video\//, FileVideo],
  [/^audio\//, FileAudio],
  [/^text\/|pdf$|json$/, FileText],
  [/zip|tar|compressed/, FileArchive],
]

/** What an entry is, at a glance. */
export function EntryIcon({ entry: { kind, mimeType } }: { readonly entry: StorageEntry }) {
  const known = icons.find(([type]) => type.test(mimeType ?? ''))?.[1] ?? File
  const Icon = kind === 'folder' ? Folder : known
  return <Icon aria-hidden="true" className="size-4 shrink-0 text-ink-3" strokeWidth={1.75} />
}
