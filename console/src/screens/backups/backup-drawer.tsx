import type { Backup } from '../../lib/api/schemas.ts'
import { Dot } from '../../ui/badge.tsx'
import { Bytes } from '../../ui/bytes.tsx'
import { Code } from '../../ui/code.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { Time } from '../../ui/time.tsx'
import { verdictOf } from './backups-view.tsx'

interface BackupDrawerProps {
  /** Nothing is open without it. */
  readonly id: string | undefined
  /** Absent where it was removed meanwhile. */
  readonly backup: Backup | undefined
  readonly target: string | null
  readonly onClose: () => void
}

/** What the parts of a backup are called, by their names in its manifest. */
const partNames: Readonly<Record<string, string>> = {
  postgres: 'PostgreSQL',
  clickhouse: 'ClickHouse',
  spool: 'Spool',
  storage: 'Files of objects',
}

/** A backup opened in place: what it holds, what opening it showed, and how it is restored. */
export function BackupDrawer({ id, backup, target, onClose }: BackupDrawerProps) {
  return (
    <Drawer open={id !== undefined} onClose={onClose} title={`Backup ${id ?? ''}`}>
      {backup === undefined ? (
        <p className="p-4 text-ink-2">There is no such backup any more.</p>
      ) : (
        <OpenBackup backup={backup} target={target} />
      )}
    </Drawer>
  )
}

function OpenBackup({ backup, target }: { readonly backup: Backup; readonly target: string | null }) {
  const { id, problem, verification, parts, leftOut } = backup
  const { tone, word } = verdictOf(backup)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 p-4">
      <p>
        <Dot tone={tone}>{word}</Dot>
        {verification !== null && (
          <span className="text-ink-2">
            {' '}
            · opened <Time at={verification.at} />
          </span>
        )}
      </p>
      {problem !== null && <p className="wrap-anywhere text-danger">{problem}</p>}
      {parts.length > 0 && (
        <section className="grid gap-2">
          <h2 className="font-semibold">What it holds</h2>
          <dl className="grid gap-1">
            {parts.map(({ name, files, sizeBytes }) => (
              <div key={name} className="flex items-baseline gap-3">
                <dt>{partNames[name] ?? name}</dt>
                <dd className="ml-auto text-ink-2">
                  {files.toLocaleString('en')} files, <Bytes value={sizeBytes} />
                </dd>
              </div>
            ))}
          </dl>
          {leftOut.map((line) => (
            <p key={line} className="text-warn">
              Left out: {line}
            </p>
          ))}
        </section>
      )}
      {verification !== null && (
        <section className="grid gap-2">
          <h2 className="font-semibold">What opening it showed</h2>
          <ul className="grid gap-2">
            {verification.checks.map((check) => (
              <li key={check.name} className="grid gap-0.5">
                <Dot tone={check.problem === null ? 'ok' : 'danger'}>{check.name}</Dot>
                {check.problem !== null && <p className="wrap-anywhere text-danger">{check.problem}</p>}
                <p className="wrap-anywhere text-ink-2">{check.detail}</p>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
        <h2 className="font-semibold">Restore it</h2>
        <p className="text-ink-2">
          Into a new directory, on this machine or one of its kind. Nothing of this instance is touched.
        </p>
        <Code
          text={`clew backup restore ${id} --target ${target ?? '<folder>'} --to <new directory>\nclew start --data <new directory>`}
          copyLabel="Copy the commands"
        />
      </section>
    </div>
  )
}
