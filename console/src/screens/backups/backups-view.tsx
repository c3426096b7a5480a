import type { Backup, BackupsAnswer } from '../../lib/api/schemas.ts'
import { Dot, type Tone } from '../../ui/badge.tsx'
import { Bytes } from '../../ui/bytes.tsx'
import { Code } from '../../ui/code.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Table, type TableColumn } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'

interface BackupsViewProps {
  readonly answer: BackupsAnswer
  readonly openId: string | undefined
  readonly onOpen: (backup: Backup) => void
}

/** How a backup is, in a word and its colour. */
export function verdictOf({ problem, verification }: Pick<Backup, 'problem' | 'verification'>): {
  readonly tone: Tone
  readonly word: string
} {
  if (problem !== null) return { tone: 'danger', word: 'unreadable' }
  if (verification === null) return { tone: 'quiet', word: 'not verified' }
  return verification.isGood ? { tone: 'ok', word: 'verified' } : { tone: 'danger', word: 'not good' }
}

const columns: readonly TableColumn<Backup>[] = [
  {
    id: 'instant',
    title: 'Rows until',
    cell: ({ id, instant }) => (instant === null ? <span className="mono">{id}</span> : <Time at={instant} />),
  },
  {
    id: 'state',
    title: 'State',
    width: 128,
    cell: (backup) => {
      const { tone, word } = verdictOf(backup)
      return <Dot tone={tone}>{word}</Dot>
    },
  },
  { id: 'size', title: 'Size', width: 96, align: 'right', cell: ({ sizeBytes }) => <Bytes value={sizeBytes} /> },
  {
    id: 'new',
    title: 'New',
    width: 96,
    align: 'right',
    from: 'narrow',
    cell: ({ newBytes }) => <Bytes value={newBytes} />,
  },
  {
    id: 'keys',
    title: 'Keys',
    width: 96,
    from: 'narrow',
    cell: ({ hasKeys }) => (hasKeys ? 'sealed' : 'left out'),
  },
]

/** The last verified backup, what is under way or failed, and the list. */
export function BackupsView({ answer, openId, onOpen }: BackupsViewProps) {
  const { target, backups } = answer
  if (target === null) return <NoTarget isExternal={answer.isExternal} />
  return (
    <>
      <Standing answer={answer} />
      <KeptLog wal={answer.wal} target={target} />
      {backups.length === 0 ? (
        <Empty title="No backup yet">
          <p>The first one is made when the instance has a minute of time; each is opened and read before it counts.</p>
        </Empty>
      ) : (
        <Table
          label="Backups"
          columns={columns}
          rows={backups}
          rowKey={({ id }) => id}
          onOpen={onOpen}
          openKey={openId}
        />
      )}
    </>
  )
}

const doing = {
  create: 'A backup is being made.',
  verify: 'The newest backup is being opened and read.',
  prune: 'Old backups are being removed.',
}

function Standing({ answer: { backups, running, failure, everyHours } }: { readonly answer: BackupsAnswer }) {
  const verified = backups.find(({ verification }) => verification?.isGood === true)
  return (
    <section aria-label="How backups are" className="grid shrink-0 gap-2 border-line border-b p-4">
      <p className="text-lg">
        {verified?.instant == null ? (
          'No backup is verified yet.'
        ) : (
          <>
            Last verified backup: <Time at={verified.instant} />
          </>
        )}
      </p>
      <p className="text-ink-2">
        {running === null ? `One is made every ${everyHours} hours, opened and read.` : doing[running]}
      </p>
      {failure !== null && (
        <div role="alert" className="grid max-w-[80ch] gap-1">
          <p className="text-danger">
            The last attempt failed <Time at={failure.at} />:
          </p>
          <pre className="mono wrap-anywhere whitespace-pre-wrap text-ink-2">{failure.message}</pre>
        </div>
      )}
    </section>
  )
}

/** Which moments between the backups can be restored, and why others cannot. */
function KeptLog({ wal, target }: { readonly wal: BackupsAnswer['wal']; readonly target: string }) {
  if (wal === null)
    return (
      <section aria-label="Moments between backups" className="shrink-0 border-line border-b p-4 text-ink-2">
        Between two backups nothing can be restored: the write-ahead log is not kept (wal of [backup]).
      </section>
    )
  const { spans, untilAt, untilLsn, gap, failure } = wal
  return (
    <section
      aria-label="Moments between backups"
      className="grid shrink-0 grid-cols-[minmax(0,1fr)] gap-2 border-line border-b p-4"
    >
      {untilAt === null ? (
        <p className="text-ink-2">The write-ahead log is kept from the first minute on. None is there yet.</p>
      ) : (
        <p>
          Write-ahead log kept until <Time at={untilAt} /> <span className="mono text-ink-2">{untilLsn}</span>
        </p>
      )}
      {spans.length > 0 && (
        <>
          <ul className="text-ink-2">
            {spans.map(({ from, until }) => (
              <li key={from}>
                Any moment from <Time at={from} /> to <Time at={until} />
              </li>
            ))}
          </ul>
          <Code
            text={`clew backup restore --at latest --target ${target} --to <new directory>`}
            copyLabel="Copy the command"
          />
        </>
      )}
      {gap !== null && (
        <p className="wrap-anywhere text-warn">
          {gap.after === null ? 'A gap in the log' : 'A gap in the log after '}
          {gap.after !== null && <Time at={gap.after} />}: {gap.reason}
        </p>
      )}
      {failure !== null && (
        <div role="alert" className="grid max-w-[80ch] gap-1">
          <p className="text-danger">
            The log goes no further since <Time at={failure.at} />:
          </p>
          <pre className="mono wrap-anywhere whitespace-pre-wrap text-ink-2">{failure.message}</pre>
        </div>
      )}
    </section>
  )
}

function NoTarget({ isExternal }: { readonly isExternal: boolean }) {
  if (isExternal)
    return (
      <Empty title="PostgreSQL is backed up by its own tools">
        <p>It is a server of its own, whose files Clew does not read. Its provider, or pg_basebackup, backs it up.</p>
        <p>Keep keys.json of the data directory beside that: without it no password is valid.</p>
      </Empty>
    )
  return (
    <Empty title="No backups are made">
      <p>
        Name a folder on another disk, or an s3_bucket, in clew.toml, and start again. The passphrase seals the keys in
        each backup.
      </p>
      <Code text={'[backup]\nfolder = "/mnt/backups/clew"'} copyLabel="Copy the settings" />
      <Code text="export CLEW_BACKUP_PASSPHRASE='at least twelve characters'" copyLabel="Copy the variable" />
    </Empty>
  )
}
