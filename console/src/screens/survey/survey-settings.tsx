import { useQuery } from '@tanstack/react-query'
import { flagsQuery, offeredEventsQuery } from '../../lib/api/queries.ts'
import type { Survey } from '../../lib/api/schemas.ts'
import { Field, Select } from '../../ui/field.tsx'
import { Switch } from '../../ui/switch.tsx'

interface SurveySettingsProps {
  readonly draft: Survey
  readonly canChange: boolean
  readonly onChange: (change: Partial<Survey>) => void
}

/** Who is asked, where and how often. */
export function SurveySettings({ draft, canChange, onChange: set }: SurveySettingsProps) {
  const { appearance } = draft
  return (
    <fieldset disabled={!canChange} className="grid gap-3">
      <Field
        label="Name"
        value={draft.name}
        maxLength={200}
        required
        onChange={(event) => set({ name: event.target.value })}
      />
      <div className="flex items-center justify-between gap-2">
        <span>Shown</span>
        <Select
          label="Shown"
          value={draft.type}
          options={[
            { value: 'popover', label: 'in a corner of the page' },
            { value: 'widget', label: 'behind a feedback button' },
            { value: 'api', label: 'by your own code' },
          ]}
          onChange={(type) => set({ type })}
        />
      </div>
      <div className="flex items-center justify-between gap-2">
        <span>Each person is asked</span>
        <Select
          label="Each person is asked"
          value={draft.schedule}
          options={[
            { value: 'once', label: 'once' },
            { value: 'always', label: 'every time' },
          ]}
          onChange={(schedule) => set({ schedule })}
        />
      </div>
      <Conditions draft={draft} onChange={set} />
      <Field
        label="Thank you"
        value={appearance.thankYouMessageHeader ?? ''}
        maxLength={500}
        onChange={({ target: { value } }) =>
          set({
            appearance: { ...appearance, thankYouMessageHeader: value, displayThankYouMessage: value !== '' },
          })
        }
      />
      <div className="flex items-center justify-between gap-2">
        <span>Keeps answers of those who stop halfway</span>
        <Switch
          label="Keeps answers of those who stop halfway"
          on={draft.partialResponses}
          disabled={!canChange}
          onToggle={(partialResponses) => set({ partialResponses })}
        />
      </div>
    </fieldset>
  )
}

/** The pages, the event and the people that a survey is limited to. */
function Conditions({ draft, onChange: set }: Omit<SurveySettingsProps, 'canChange'>) {
  const { conditions } = draft
  const { data: events = [] } = useQuery(offeredEventsQuery)
  const { data: flags = [] } = useQuery(flagsQuery)
  return (
    <>
      <Field
        label="On pages whose address has"
        value={conditions.url ?? ''}
        maxLength={2000}
        hint="Empty for every page."
        onChange={({ target: { value } }) => {
          const { url, urlMatchType, ...others } = conditions
          set({
            conditions: value === '' ? others : { ...others, url: value, urlMatchType: urlMatchType ?? 'icontains' },
          })
        }}
      />
      <Field
        label="After the event"
        value={conditions.events?.values[0]?.name ?? ''}
        maxLength={200}
        hint="Empty to ask when the page has loaded."
        offered={events}
        onChange={({ target: { value } }) => {
          const { events, ...others } = conditions
          set({ conditions: value === '' ? others : { ...others, events: { ...events, values: [{ name: value }] } } })
        }}
      />
      <Field
        label="For whom this flag is on"
        value={draft.linkedFlagKey ?? ''}
        maxLength={400}
        hint="The key of a feature flag; empty for all."
        offered={flags.map(({ key }) => key)}
        onChange={({ target: { value } }) => set({ linkedFlagKey: value === '' ? null : value })}
      />
    </>
  )
}
