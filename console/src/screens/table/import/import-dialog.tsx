import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { errorText } from '../../../lib/api/api-error.ts'
import type { ImportOutcome, Table } from '../../../lib/api/schemas.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Select } from '../../../ui/field.tsx'
import { SkeletonRows } from '../../../ui/skeleton.tsx'
import { guessOptions, type ImportOptions, problemsOf, renderImport, rowsOf, writableColumns } from './plan-import.ts'
import { type CsvFile, readCsv } from './read-csv.ts'

/** Rows to be imported, and how far that is. */
export type ImportRows = (
  rows: ReturnType<typeof renderImport> & {
    readonly trial: boolean
    readonly onProgress: (part: number) => void
  },
) => Promise<ImportOutcome>

interface ImportDialogProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly table: Table
  readonly onImport: ImportRows
  /** Called once rows were inserted. */
  readonly onImported: (rows: number) => void
}

/** Inserts the rows of a CSV file: chosen, matched with the columns, tried, and all inserted or none. */
export function ImportDialog({ open, onClose, table, ...work }: ImportDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title={`Import into ${table.name}`}>
      <ChooseFile table={table} {...work} />
    </Dialog>
  )
}

type WorkProps = Omit<ImportDialogProps, 'open' | 'onClose'>

function ChooseFile({ table, ...work }: WorkProps) {
  const read = useMutation({ mutationFn: readCsv })
  const file = read.data
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <label className="grid gap-1">
        <span className="font-medium text-ink-2 text-sm">CSV file</span>
        <input
          type="file"
          accept=".csv,.tsv,.txt,text/csv"
          className="w-full file:mr-2 file:h-7 file:rounded-control file:border file:border-line file:bg-surface file:px-2.5 hover:file:bg-sunken"
          onChange={({ target }) => {
            const [chosen] = target.files ?? []
            if (chosen) read.mutate(chosen)
          }}
        />
      </label>
      {read.isPending && <SkeletonRows rows={3} />}
      {read.error && (
        <p role="alert" className="text-danger">
          The file could not be read. {read.error.message}
        </p>
      )}
      {file &&
        (file.rows.length === 0 ? (
          <p className="text-ink-2">The file has no rows.</p>
        ) : (
          <MatchColumns key={read.submittedAt} table={table} file={file} {...work} />
        ))}
    </div>
  )
}

interface MatchColumnsProps extends WorkProps {
  readonly file: CsvFile
}

function MatchColumns({ table, file, onImport, onImported }: MatchColumnsProps) {
  const [options, setOptions] = useState(() => guessOptions(file, table))
  const [part, setPart] = useState<number>()
  const problems = problemsOf(file, table, options)
  const count = rowsOf(file, options).length
  const work = useMutation({
    mutationFn: (trial: boolean) => onImport({ ...renderImport(file, options), trial, onProgress: setPart }),
    onSuccess: (outcome) => {
      if (outcome.kind === 'imported') onImported(outcome.rows)
    },
    onSettled: () => setPart(undefined),
  })
  const change = (next: Partial<ImportOptions>) => {
    setOptions({ ...options, ...next })
    work.reset()
  }
  const isBlocked = work.isPending || options.targets.every((target) => target === null) || count === 0
  return (
    <>
      <Toggles options={options} onChange={change} />
      <Matches table={table} file={file} options={options} onChange={change} />
      {problems.length > 0 && (
        <ul aria-label="What stands against it" className="grid gap-0.5 text-warn">
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
      <Outcome outcome={work.data} error={work.error} />
      <div className="sticky -bottom-4 -mx-4 -mb-4 flex items-center gap-1.5 border-line border-t bg-surface px-4 py-2">
        {work.isPending && (
          <progress aria-label="Imported" max={1} value={part} className="h-1.5 min-w-0 flex-1 accent-ink-2" />
        )}
        <span className="ml-auto" />
        <Button disabled={isBlocked} onClick={() => work.mutate(true)}>
          Try
        </Button>
        <Button look="primary" disabled={isBlocked} onClick={() => work.mutate(false)}>
          Import {count === 1 ? 'one row' : `${count.toLocaleString('en-GB')} rows`}
        </Button>
      </div>
    </>
  )
}

interface OptionsProps {
  readonly options: ImportOptions
  readonly onChange: (change: Partial<ImportOptions>) => void
}

function Toggles({ options: { hasNames, emptyIsNull }, onChange }: OptionsProps) {
  return (
    <div className="flex flex-wrap gap-x-4 gap-y-1">
      <label className="flex items-center gap-1.5">
        <input
          type="checkbox"
          className="accent-ink-2"
          checked={hasNames}
          onChange={({ target }) => onChange({ hasNames: target.checked })}
        />
        The first line has names
      </label>
      <label className="flex items-center gap-1.5">
        <input
          type="checkbox"
          className="accent-ink-2"
          checked={emptyIsNull}
          onChange={({ target }) => onChange({ emptyIsNull: target.checked })}
        />
        An empty field is null
      </label>
    </div>
  )
}

function Matches({ table, file, options, onChange }: OptionsProps & Pick<MatchColumnsProps, 'table' | 'file'>) {
  const { hasNames, targets } = options
  const names = hasNames ? (file.rows[0]?.values ?? []) : []
  const samples = rowsOf(file, options).slice(0, 3)
  const choices = [
    { value: '', label: 'left out' },
    ...writableColumns(table).map(({ name, type }) => ({ value: name, label: `${name} ${type}` })),
  ]
  return (
    <ul className="border-line border-y">
      {targets.map((target, index) => {
        const name = names[index] ?? `column ${index + 1}`
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the file's columns stay where they are
          <li key={index} className="flex min-h-9 items-center gap-2 border-line border-b py-1 last:border-0">
            <span className="min-w-0 flex-1">
              <span className="mono block truncate">{name}</span>
              <span className="mono block truncate text-ink-2 text-xs">
                {samples.map(({ values }) => values[index] || '–').join(' · ')}
              </span>
            </span>
            <Select
              label={`Column for ${name}`}
              value={target ?? ''}
              options={choices}
              onChange={(chosen) => onChange({ targets: targets.with(index, chosen === '' ? null : chosen) })}
              className="mono w-48"
            />
          </li>
        )
      })}
    </ul>
  )
}

function Outcome({ outcome, error }: { readonly outcome: ImportOutcome | undefined; readonly error: Error | null }) {
  if (error)
    return (
      <p role="alert" className="text-danger">
        {errorText(error)}
      </p>
    )
  if (outcome?.kind === 'accepted')
    return (
      <p role="status" className="text-ok">
        PostgreSQL takes {outcome.rows === 1 ? 'the row' : `all ${outcome.rows.toLocaleString('en-GB')} rows`}. Nothing
        is inserted yet.
      </p>
    )
  if (outcome?.kind !== 'refused') return null
  return (
    <div role="alert" className="grid gap-1">
      <p className="text-danger">Nothing was inserted. PostgreSQL does not take:</p>
      <ul className="grid max-h-60 gap-1 overflow-y-auto">
        {outcome.errors.map(({ line, message, detail }) => (
          <li key={`${line} ${message}`}>
            {line !== null && <b className="font-medium">Line {line}: </b>}
            {message}
            {detail && <span className="block text-ink-2">{detail}</span>}
          </li>
        ))}
      </ul>
    </div>
  )
}
