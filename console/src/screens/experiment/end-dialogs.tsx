import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import { experimentsQuery } from '../../lib/api/queries.ts'
import type { Experiment } from '../../lib/api/schemas.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Select } from '../../ui/field.tsx'
import { Switch } from '../../ui/switch.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { experimentQuery, experimentResultQuery } from './queries.ts'

interface ConcludeDialogProps {
  readonly experiment: Experiment
  readonly hint: string
  readonly onClose: () => void
  readonly onDone: (saved: Experiment) => Promise<void>
}

/** Asks which variant was chosen, why, and whether all get it; the experiment ends with it. */
export function ConcludeDialog({ experiment, hint, onClose, onDone }: ConcludeDialogProps) {
  const { data: result } = useQuery(experimentResultQuery(experiment.id))
  const [variant, setVariant] = useState(experiment.conclusion?.variant ?? '')
  const [note, setNote] = useState(experiment.conclusion?.note ?? '')
  const [isForAll, setForAll] = useState(false)
  const queryClient = useQueryClient()
  const known = (result?.variants ?? []).map(({ key }) => key)
  const keys = variant === '' || known.includes(variant) ? known : [...known, variant]
  const conclude = useMutation({
    async mutationFn() {
      const saved = await api.concludeExperiment(experiment.id, { variant: variant === '' ? null : variant, note })
      if (isForAll && variant !== '') await giveToAll(experiment.flagKey, variant)
      return saved
    },
    async onSuccess(saved) {
      onClose()
      await onDone(saved)
    },
    // It may be concluded, and the flag as it was.
    onError: () => queryClient.invalidateQueries({ queryKey: experimentQuery(experiment.id).queryKey }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['flag', experiment.flagKey] }),
  })
  return (
    <Dialog open onClose={onClose} title="What was concluded?">
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          conclude.mutate()
        }}
      >
        {hint !== '' && <p className="text-ink-2">Expected: {hint}</p>}
        <div className="flex items-center justify-between gap-2">
          <span>Chosen</span>
          <Select
            label="Chosen"
            value={variant}
            options={[{ value: '', label: 'no variant' }, ...keys.map((key) => ({ value: key, label: key }))]}
            onChange={setVariant}
          />
        </div>
        <TextArea
          label="Why"
          value={note}
          rows={4}
          maxLength={4000}
          spellCheck
          problem={conclude.error ? errorText(conclude.error) : undefined}
          onChange={(event) => setNote(event.target.value)}
        />
        {variant !== '' && (
          <div className="flex items-center justify-between gap-2">
            <span>Give {variant} to everybody</span>
            <Switch label={`Give ${variant} to everybody`} on={isForAll} onToggle={setForAll} />
          </div>
        )}
        <p className="text-ink-2">
          {isForAll && variant !== ''
            ? 'The experiment ends. A condition for all is put before the others of its flag: remove it to take that back.'
            : 'The experiment ends. Its flag stays as it is: give it to everybody, or archive it.'}
        </p>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={conclude.isPending}>
            Conclude
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** Puts a condition that everybody meets before the others of a flag. */
async function giveToAll(key: string, variant: string): Promise<void> {
  const { description, filters, keepsBucket, bucketing, runtime, contexts, earlyAccess, version } = await api.flag(key)
  const forAll = { properties: [], rollout_percentage: 100, variant }
  await api.changeFlag(key, {
    ...{ description, keepsBucket, bucketing, runtime, contexts, earlyAccess, version },
    active: true,
    filters: { ...filters, groups: [forAll, ...filters.groups] },
  })
}

interface ArchiveDialogProps {
  readonly experiment: Experiment
  readonly onClose: () => void
  readonly onArchived: () => void
}

/** Asks before an experiment leaves the list. */
export function ArchiveDialog({ experiment, onClose, onArchived }: ArchiveDialogProps) {
  const queryClient = useQueryClient()
  const archive = useMutation({
    mutationFn: () => api.archiveExperiment(experiment.id),
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: experimentsQuery.queryKey })
      onArchived()
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Archive ${experiment.name}?`}
      action="Archive the experiment"
      isPending={archive.isPending}
      problem={archive.error ? errorText(archive.error) : undefined}
      onConfirm={archive.mutate}
    >
      It ends, and leaves the list. What people did stays among the events, and its flag stays as it is.
    </ConfirmDialog>
  )
}
