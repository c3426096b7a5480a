import { useState } from 'react'
import type { Survey, SurveyQuestion } from '../../lib/api/schemas.ts'
import { Button } from '../../ui/button.tsx'
import { QuestionEditor } from './question-editor.tsx'
import { SurveySettings } from './survey-settings.tsx'

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
        onSave({ ...draft, questions: draft.questions.map(withoutBlankChoices) })
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
        <SurveySettings draft={draft} canChange={canChange} onChange={set} />
      </aside>
    </form>
  )
}

const withoutBlankChoices = ({ choices, ...question }: SurveyQuestion): SurveyQuestion =>
  choices === undefined
    ? question
    : { ...question, choices: choices.map((choice) => choice.trim()).filter((choice) => choice !== '') }

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
