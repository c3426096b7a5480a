import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { Bucket } from '../../lib/api/schemas.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { bucketsQuery } from './queries.ts'

interface BucketDialogProps {
  readonly open: boolean
  /** The bucket to be changed; null for a new one. */
  readonly bucket: Bucket | null
  readonly onClose: () => void
  readonly onSaved: (bucketId: string) => void
}

/** The settings of a bucket, new or not. */
export function BucketDialog({ open, bucket, onClose, onSaved }: BucketDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title={bucket === null ? 'New bucket' : `Settings of ${bucket.id}`}>
      <BucketForm bucket={bucket} onClose={onClose} onSaved={onSaved} />
    </Dialog>
  )
}

const megabyte = 1_000_000

function BucketForm({ bucket, onClose, onSaved }: Omit<BucketDialogProps, 'open'>) {
  const queryClient = useQueryClient()
  const [name, setName] = useState(bucket?.id ?? '')
  const [isPublic, setPublic] = useState(bucket?.public ?? false)
  const [limit, setLimit] = useState(bucket?.fileSizeLimit == null ? '' : String(bucket.fileSizeLimit / megabyte))
  const [types, setTypes] = useState(bucket?.allowedMimeTypes.join(', ') ?? '')
  const save = useMutation({
    mutationFn: () => {
      const values = {
        public: isPublic,
        fileSizeLimit: limit === '' ? null : Math.round(Number(limit) * megabyte),
        allowedMimeTypes: types.split(/[\s,]+/).filter((type) => type !== ''),
      }
      return bucket === null ? api.createBucket({ name, ...values }) : api.changeBucket(bucket.id, values)
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: bucketsQuery.queryKey })
      onClose()
      onSaved(name)
    },
  })
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      {bucket === null && (
        <Field
          label="Name"
          value={name}
          required
          maxLength={100}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
          hint="It stands in the address of every object and does not change."
        />
      )}
      <PublicBox checked={isPublic} onChange={setPublic} />
      <Field
        label="Largest object, in MB"
        type="number"
        min="0"
        step="any"
        value={limit}
        onChange={(event) => setLimit(event.target.value)}
        hint="Empty for the instance’s own limit."
      />
      <Field
        label="Allowed types"
        value={types}
        placeholder="image/*, application/pdf"
        onChange={(event) => setTypes(event.target.value)}
        hint="Empty for any."
      />
      {save.error && (
        <p role="alert" className="text-danger">
          {errorText(save.error)}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" type="submit" disabled={save.isPending}>
          {bucket === null ? 'Create' : 'Save'}
        </Button>
      </div>
    </form>
  )
}

interface PublicBoxProps {
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
}

function PublicBox({ checked, onChange }: PublicBoxProps) {
  return (
    <label className="flex items-start gap-2">
      <input type="checkbox" className="mt-1" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      <span>
        Public: everyone who knows an object’s address reads it.
        <span className="block text-ink-2 text-sm">Uploads, changes and lists follow the policies all the same.</span>
      </span>
    </label>
  )
}
