import { useState } from 'react'
import type { Survey, SurveyQuestion } from '../../lib/api/schemas.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { Switch } from '../../ui/switch.tsx'
import { QuestionEditor } from './question-editor.tsx'

interface SurveyFormProps {
  readonly survey: Survey
  readonly canChange: boolean
  readonly isSaving: boolean
  /** Why the last attempt to save failed. */
  readonly problem: string | undefined
  readonly onSave: (survey: Survey) => void
}

/** The questions and settings of a survey, as a draft until they are saved. */
export function SurveyForm({ survey, canChange, isSaving, problem, onSave }: SurveyFormProps) {
  const [draft, setDraft] = useState(survey)
  const isChanged = JSON.stringify(draft) !== JSON.stringify(survey)
  const set = (change: Partial<Survey>) => setDraft({ ...draft, ...change })
  return (
    <form
      className="grid min-h-0 flex-1 content-start gap-x-8 overflow-y-auto px-4 pb-8 wide:grid-cols-[minmax(0,1fr)_280px]"
      onSubmit={(event) => {
        event.preventDefault()
        onSave(draft)
      }}
    >
      <fieldset disabled={!canChange} className="min-w-0">
        <Questions questions={draft.questions} onChange={(questions) => set({ questions })} />
      </fieldset>
      <aside className="grid content-start gap-5 py-3">
        {canChange && (
          <div className="grid gap-2">
            <div className="flex items-center gap-2">
              <Button type="submit" look="primary" disabled={!isChanged || isSaving}>
                Save
              </Button>
              {isChanged && <Button onClick={() => setDraft(survey)}>Discard</Button>}
            </div>
            {problem && (
              <p role="alert" className="text-danger">
                {problem}
              </p>
            )}
          </div>
        )}
        <Settings draft={draft} canChange={canChange} onChange={set} />
      </aside>
    </form>
  )
}

interface QuestionsProps {
  readonly questions: readonly SurveyQuestion[]
  readonly onChange: (questions: SurveyQuestion[]) => void
}

function Questions({ questions, onChange }: QuestionsProps) {
  return (
    <>
      {questions.map((question, index) => (
        <QuestionEditor
          key={question.id}
          number={index + 1}
          question={question}
          onChange={(next) => onChange(questions.map((one, place) => (place === index ? next : one)))}
          onRemove={
            questions.length === 1 ? undefined : () => onChange(questions.filter((_, place) => place !== index))
          }
        />
      ))}
      <div className="border-line border-b py-3">
        <Button
          size="small"
          onClick={() => onChange([...questions, { type: 'open', id: crypto.randomUUID(), question: '' }])}
        >
          Add a question
        </Button>
      </div>
    </>
  )
}

interface SettingsProps {
  readonly draft: Survey
  readonly canChange: boolean
  readonly onChange: (change: Partial<Survey>) => void
}

/** Who is asked, where and how often. */
function Settings({ draft, canChange, onChange: set }: SettingsProps) {
  const { conditions, appearance } = draft
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
        onChange={({ target: { value } }) => set({ linkedFlagKey: value === '' ? null : value })}
      />
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
