import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Meanwhile } from '../../drafts/meanwhile.tsx'
import { useDraft } from '../../drafts/use-draft.ts'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { ExportBody, ScheduledExport } from '../../lib/api/schemas.ts'
import { Chip } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CardProblem } from '../../ui/card.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { Switch } from '../../ui/switch.tsx'

interface ExportDialogProps {
  /** What is edited, as it is stored now; null for a new export. */
  readonly item: ScheduledExport | null
  readonly onSaved: (id: string) => void
  /** What is edited may be outdated: a change was refused. */
  readonly onRefused: () => void
  readonly onClose: () => void
}

/** A new export, or an export that is defined anew. */
export function ExportDialog({ item, onSaved, onRefused, onClose }: ExportDialogProps) {
  const { draft, set, drafted } = useDraft<Drafted>(item ?? newExport, partNames)
  // A secret is no part of what is stored, as the console knows it.
  const [secret, setSecret] = useState('')
  const body = sent(draft, secret)
  const change = ({ secretAccessKey = secret, ...changed }: Partial<ExportBody>) => {
    setSecret(secretAccessKey)
    set(changed)
  }
  const save = useMutation({
    mutationFn: () =>
      item === null ? api.createExport(body) : api.changeExport(item.id, { version: item.version, export: body }),
    onError: onRefused,
    onSuccess({ id }) {
      onSaved(id)
      onClose()
    },
  })
  return (
    <Dialog open onClose={onClose} title={item === null ? 'New export' : `Edit ${item.name}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <div className="grid gap-4">
          <Field
            label="Name"
            value={body.name}
            onChange={(event) => change({ name: event.target.value })}
            maxLength={80}
            required
            autoFocus
            autoComplete="off"
          />
          <WhatAndWhen body={body} onChange={change} />
          <Bucket body={body} item={item} onChange={change} />
        </div>
        <div className="-bottom-4 -mx-4 -mb-4 sticky mt-4 grid rounded-b-float gap-3 border-line border-t bg-surface p-4">
          <BucketTest body={body} id={item?.id} />
          {drafted.meanwhile && <Meanwhile {...drafted.meanwhile} />}
          <CardProblem text={save.error ? errorText(save.error) : undefined} />
          <div className="flex justify-end gap-2">
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" look="primary" disabled={save.isPending || body.kinds.length === 0}>
              {item === null ? 'Create the export' : 'Save'}
            </Button>
          </div>
        </div>
      </form>
    </Dialog>
  )
}

interface PartProps {
  readonly body: ExportBody
  readonly onChange: (changed: Partial<ExportBody>) => void
}

const kinds = ['events', 'persons', 'requests', 'recordings'] as const
const formats = [
  { value: 'parquet', label: 'Parquet' },
  { value: 'csv', label: 'CSV' },
  { value: 'jsonl', label: 'JSON Lines' },
] as const
const schedules = [
  { value: '0 * * * *', label: 'Every hour' },
  { value: '30 3 * * *', label: 'Every day at 03:30 UTC' },
  { value: '30 3 * * 1', label: 'Every Monday at 03:30 UTC' },
  { value: 'cron', label: 'As cron…' },
] as const

function WhatAndWhen({ body, onChange }: PartProps) {
  const known = schedules.find(({ value }) => value === body.schedule)
  const [isCron, setCron] = useState(known === undefined)
  return (
    <>
      <Labelled text="What is exported">
        <div className="flex flex-wrap gap-1.5">
          {kinds.map((kind) => (
            <Chip
              key={kind}
              on={body.kinds.includes(kind)}
              onToggle={(on) =>
                onChange({ kinds: kinds.filter((each) => (each === kind ? on : body.kinds.includes(each))) })
              }
            >
              {kind}
            </Chip>
          ))}
        </div>
      </Labelled>
      <div className="grid gap-4 narrow:grid-cols-2">
        <Labelled text="Format">
          <Select
            label="Format"
            value={body.format}
            options={formats}
            onChange={(format) => onChange({ format })}
            className="h-8"
          />
        </Labelled>
        <Labelled text="When">
          <Select
            label="When"
            value={isCron ? 'cron' : (known?.value ?? 'cron')}
            options={schedules}
            onChange={(schedule) => {
              setCron(schedule === 'cron')
              if (schedule !== 'cron') onChange({ schedule })
            }}
            className="h-8"
          />
        </Labelled>
      </div>
      {isCron && (
        <Field
          label="Schedule"
          hint="Minute, hour, day of the month, month, day of the week, in UTC."
          className="mono"
          value={body.schedule}
          onChange={(event) => onChange({ schedule: event.target.value })}
          maxLength={100}
          required
          autoComplete="off"
          spellCheck={false}
        />
      )}
    </>
  )
}

function Bucket({ body, item, onChange }: PartProps & Pick<ExportDialogProps, 'item'>) {
  const text = (name: 'region' | 'bucket' | 'prefix' | 'accessKeyId' | 'secretAccessKey') => ({
    value: body[name] ?? '',
    onChange: (event: { readonly target: { readonly value: string } }) => onChange({ [name]: event.target.value }),
    autoComplete: 'off',
    spellCheck: false,
  })
  return (
    <>
      <Field
        label="Server"
        placeholder="https://s3.example.com"
        hint="The address of an S3 server; empty for Amazon’s."
        type="url"
        value={body.endpoint ?? ''}
        onChange={({ target: { value } }) =>
          onChange({ endpoint: value === '' ? null : value, pathStyle: value !== '' })
        }
        maxLength={500}
        autoComplete="off"
      />
      <div className="grid gap-4 narrow:grid-cols-2">
        <Field label="Bucket" {...text('bucket')} maxLength={63} required />
        <Field label="Region" {...text('region')} maxLength={40} required />
        <Field label="Folder in the bucket" placeholder="none" {...text('prefix')} maxLength={500} />
        <Labelled text="Bucket in the path">
          <Switch
            label="The bucket is named in the path"
            on={body.pathStyle}
            onToggle={(pathStyle) => onChange({ pathStyle })}
          />
        </Labelled>
        <Field label="Access key" {...text('accessKeyId')} maxLength={200} required />
        <Field
          label="Its secret"
          type="password"
          placeholder={item === null ? '' : 'as it is kept'}
          {...text('secretAccessKey')}
          maxLength={500}
          required={item === null}
        />
      </div>
      <p className="text-ink-2 text-sm">
        The secret is kept encrypted and never shown again. The key needs to put objects, and to delete the one of a
        test.
      </p>
    </>
  )
}

function BucketTest({ body, id }: { readonly body: ExportBody; readonly id: string | undefined }) {
  const { name: _name, kinds: _kinds, format: _format, schedule: _schedule, ...place } = body
  const test = useMutation({ mutationFn: () => api.testExportBucket({ ...place, ...(id !== undefined && { id }) }) })
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button disabled={test.isPending || body.bucket === ''} onClick={() => test.mutate()}>
        Test the connection
      </Button>
      <span role="status" className={test.data?.ok ? 'text-ok' : 'wrap-anywhere text-danger'}>
        {test.isPending
          ? ''
          : test.error
            ? errorText(test.error)
            : test.data && (test.data.ok ? 'It works.' : test.data.detail)}
      </span>
    </div>
  )
}

function Labelled({ text, children }: { readonly text: string; readonly children: ReactNode }) {
  return (
    <div className="grid content-start gap-1">
      <span className="font-medium text-sm text-ink-2">{text}</span>
      {children}
    </div>
  )
}

/** What is edited: a definition, and who has saved it last. */
interface Drafted extends Omit<ExportBody, 'secretAccessKey'> {
  readonly updatedBy: string
}

const newExport: Drafted = {
  name: '',
  kinds: ['events', 'persons'],
  format: 'parquet',
  schedule: '30 3 * * *',
  endpoint: null,
  region: 'us-east-1',
  bucket: '',
  prefix: '',
  pathStyle: false,
  accessKeyId: '',
  updatedBy: '',
}

const partNames = {
  name: 'name',
  kinds: 'what is exported',
  format: 'format',
  schedule: 'schedule',
  endpoint: 'server',
  region: 'region',
  bucket: 'bucket',
  prefix: 'folder',
  pathStyle: 'bucket in the path',
  accessKeyId: 'access key',
} as const

/** A secret that was not typed is not sent: the kept one stays. */
const sent = (draft: Drafted, secretAccessKey: string): ExportBody => ({
  name: draft.name,
  kinds: draft.kinds,
  format: draft.format,
  schedule: draft.schedule,
  endpoint: draft.endpoint,
  region: draft.region,
  bucket: draft.bucket,
  prefix: draft.prefix,
  pathStyle: draft.pathStyle,
  accessKeyId: draft.accessKeyId,
  ...(secretAccessKey !== '' && { secretAccessKey }),
})
