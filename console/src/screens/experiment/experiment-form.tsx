import { DraftForm, type DraftSaving } from '../../drafts/draft-form.tsx'
import { useDraft } from '../../drafts/use-draft.ts'
import type { Experiment, ExperimentMetric } from '../../lib/api/schemas.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { MetricEditor } from './metric-editor.tsx'

interface ExperimentFormProps extends DraftSaving {
  readonly experiment: Experiment
  readonly onSave: (experiment: Experiment) => void
}

const mostMetrics = 10

const newMetric: ExperimentMetric = {
  ...{ name: '', kind: 'conversion', windowHours: 168 },
  source: { type: 'events', event: '', property: null },
}

const partNames = { name: 'name', hypothesis: 'what is expected', flagKey: 'flag', metrics: 'metrics' }

/** What an experiment expects and measures, as a draft until it is saved. */
export function ExperimentForm({ experiment, onSave, ...saving }: ExperimentFormProps) {
  const { draft, set, drafted } = useDraft(experiment, partNames)
  const { metrics } = draft
  return (
    <DraftForm
      {...drafted}
      {...saving}
      onSave={() => onSave(draft)}
      aside={<About draft={draft} isDraft={experiment.state === 'draft'} canChange={saving.canChange} onChange={set} />}
    >
      {metrics.map((metric, index) => (
        <MetricEditor
          // biome-ignore lint/suspicious/noArrayIndexKey: names are what is typed here
          key={index}
          number={index + 1}
          metric={metric}
          onChange={(next) => set({ metrics: metrics.map((one, place) => (place === index ? next : one)) })}
          onRemove={
            metrics.length > 1 ? () => set({ metrics: metrics.filter((_, place) => place !== index) }) : undefined
          }
        />
      ))}
      <div className="flex items-center gap-2 py-3">
        <Button
          size="small"
          disabled={metrics.length >= mostMetrics}
          onClick={() => set({ metrics: [...metrics, newMetric] })}
        >
          Add a metric
        </Button>
        <span className="text-ink-2">The first is the one to decide by.</span>
      </div>
    </DraftForm>
  )
}

interface AboutProps {
  readonly draft: Experiment
  /** Whether it has not begun yet. */
  readonly isDraft: boolean
  readonly canChange: boolean
  readonly onChange: (change: Partial<Experiment>) => void
}

function About({ draft, isDraft, canChange, onChange: set }: AboutProps) {
  return (
    <fieldset disabled={!canChange} className="grid gap-3">
      <Field
        label="Name"
        value={draft.name}
        maxLength={200}
        required
        onChange={(event) => set({ name: event.target.value })}
      />
      <TextArea
        label="What is expected, and why"
        value={draft.hypothesis}
        rows={4}
        maxLength={4000}
        spellCheck
        onChange={(event) => set({ hypothesis: event.target.value })}
      />
      <Field
        label="Flag"
        value={draft.flagKey}
        maxLength={200}
        required
        disabled={!isDraft}
        hint={isDraft ? 'With two variants or more.' : 'Stays, as the experiment has begun.'}
        onChange={(event) => set({ flagKey: event.target.value })}
      />
    </fieldset>
  )
}
