import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { DraftForm, type DraftSaving } from '../../drafts/draft-form.tsx'
import { useDraft } from '../../drafts/use-draft.ts'
import type { Flag, FlagFilters } from '../../lib/api/schemas.ts'
import { CountedPersons } from '../../lib/filters/counted-persons.tsx'
import { Button } from '../../ui/button.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { Switch } from '../../ui/switch.tsx'
import { ConditionEditor } from './condition-editor.tsx'
import { EarlyAccess } from './early-access.tsx'
import { Placement } from './placement.tsx'
import { estimateQuery } from './queries.ts'
import { VariantsEditor } from './variants-editor.tsx'

interface FlagFormProps extends DraftSaving {
  readonly flag: Flag
  readonly onSave: (flag: Flag) => void
}

const partNames = {
  ...{ description: 'description', active: 'active', filters: 'conditions and variants', runtime: 'evaluated for' },
  ...{ keepsBucket: 'value after sign-in', bucketing: 'what a share is of', contexts: 'evaluation contexts' },
  earlyAccess: 'early access',
}

/** The conditions, variants and settings of a flag, as a draft until they are saved. */
export function FlagForm({ flag, onSave, ...saving }: FlagFormProps) {
  const { draft, set, drafted } = useDraft(flag, partNames)
  const { filters } = draft
  return (
    <DraftForm
      {...drafted}
      {...saving}
      onSave={() => onSave(draft)}
      aside={
        <>
          <Estimated flag={flag} draft={draft} />
          <Settings draft={draft} canChange={saving.canChange} onChange={set} />
        </>
      }
    >
      <Conditions filters={filters} onChange={(next) => set({ filters: next })} />
      <VariantsEditor filters={filters} onChange={(next) => set({ filters: next })} />
    </DraftForm>
  )
}

/** Who would get it, among the persons, or the groups of its type, that are stored. */
function Estimated({ flag, draft }: { readonly flag: Flag; readonly draft: Flag }) {
  const [asked, setAsked] = useState(flag)
  const { data, error, isFetching } = useQuery(estimateQuery(flag.key, asked.filters, asked.active))
  const isOld = JSON.stringify(asked.filters) !== JSON.stringify(draft.filters) || asked.active !== draft.active
  return (
    <CountedPersons
      title="Who would get it"
      counted={data && { count: data.on, asked: data.asked }}
      {...(data?.groupType && { of: `stored groups of the type ${data.groupType}` })}
      some={data?.some ?? []}
      error={error}
      isOld={isOld}
      isCounting={isFetching}
      onCountAgain={() => setAsked(draft)}
    >
      <Facts>
        {Object.entries(data?.variants ?? {}).map(([key, count]) => (
          <Fact key={key} name={key}>
            <span className="tabular">{count}</span>
          </Fact>
        ))}
      </Facts>
      {data !== undefined && data.unknown > 0 && (
        <p className="text-ink-2">
          Not known of {data.unknown}: it depends on {data.groupType ? 'a person' : 'the groups that a client names'},
          or on a table that cannot be read.
        </p>
      )}
    </CountedPersons>
  )
}

interface ConditionsProps {
  readonly filters: FlagFilters
  readonly onChange: (filters: FlagFilters) => void
}

function Conditions({ filters, onChange }: ConditionsProps) {
  const setGroups = (groups: FlagFilters['groups']) => onChange({ ...filters, groups })
  const variants = (filters.multivariate?.variants ?? []).map(({ key }) => key)
  return (
    <>
      {filters.groups.length === 0 && (
        <p className="border-line border-b py-4 text-ink-2">
          No condition: the flag is off for all. Add one to switch it on for a share of all, or for those who match.
        </p>
      )}
      {filters.groups.map((condition, index) => (
        <ConditionEditor
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no name but their place
          key={index}
          number={index + 1}
          condition={condition}
          variants={variants}
          onChange={(next) => setGroups(filters.groups.map((one, place) => (place === index ? next : one)))}
          onRemove={() => setGroups(filters.groups.filter((_, place) => place !== index))}
        />
      ))}
      <div className="flex items-center gap-2 border-line border-b py-3">
        <Button
          size="small"
          onClick={() => setGroups([...filters.groups, { properties: [], rollout_percentage: 100 }])}
        >
          Add a condition
        </Button>
        {filters.groups.length > 1 && <span className="text-ink-2">The first that matches decides.</span>}
      </div>
    </>
  )
}

interface SettingsProps {
  readonly draft: Flag
  readonly canChange: boolean
  readonly onChange: (change: Partial<Flag>) => void
}

function Settings({ draft, canChange, onChange: set }: SettingsProps) {
  return (
    <fieldset disabled={!canChange} className="grid gap-3">
      <div className="flex items-center justify-between">
        <span className="font-medium">Active</span>
        <Switch label="Active" on={draft.active} disabled={!canChange} onToggle={(active) => set({ active })} />
      </div>
      <Field
        label="Description"
        value={draft.description}
        maxLength={4000}
        onChange={(event) => set({ description: event.target.value })}
      />
      <div className="flex items-center justify-between gap-2">
        <span>Evaluated for</span>
        <Select
          label="Evaluated for"
          value={draft.runtime}
          options={[
            { value: 'all', label: 'all clients' },
            { value: 'client', label: 'browsers' },
            { value: 'server', label: 'servers' },
          ]}
          onChange={(runtime) => set({ runtime })}
        />
      </div>
      <div className="flex items-center justify-between gap-2">
        <span>Keeps its value after sign-in</span>
        <Switch
          label="Keeps its value after sign-in"
          on={draft.keepsBucket}
          disabled={!canChange}
          onToggle={(keepsBucket) => set({ keepsBucket })}
        />
      </div>
      <Placement draft={draft} onChange={set} />
      <EarlyAccess draft={draft} canChange={canChange} onChange={set} />
    </fieldset>
  )
}
