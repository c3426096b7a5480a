import { useState } from 'react'
import type { Survey, SurveyQuestion } from '../../lib/api/schemas.ts'
import { Button } from '../../ui/button.tsx'
import { DraftForm } from '../../ui/draft-form.tsx'
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
    <DraftForm
      isChanged={isChanged}
      canChange={canChange}
      isSaving={isSaving}
      problem={problem}
      onSave={() => onSave({ ...draft, questions: draft.questions.map(withoutBlankChoices) })}
      onDiscard={() => setDraft(survey)}
      aside={<SurveySettings draft={draft} canChange={canChange} onChange={set} />}
    >
      <Questions questions={draft.questions} onChange={(questions) => set({ questions })} />
    </DraftForm>
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
