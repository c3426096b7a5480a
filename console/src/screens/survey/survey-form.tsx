import { DraftForm, type DraftSaving } from '../../drafts/draft-form.tsx'
import { useDraft } from '../../drafts/use-draft.ts'
import type { Survey, SurveyQuestion } from '../../lib/api/schemas.ts'
import { Button } from '../../ui/button.tsx'
import { savedQuestion, withoutQuestion } from './branching.ts'
import { QuestionEditor } from './question-editor.tsx'
import { SurveySettings } from './survey-settings.tsx'

interface SurveyFormProps extends DraftSaving {
  readonly survey: Survey
  readonly onSave: (survey: Survey) => void
}

const partNames = {
  ...{ name: 'name', description: 'description', type: 'where it is shown', questions: 'questions' },
  ...{ appearance: 'thank you', conditions: 'who is asked', linkedFlagKey: 'flag', schedule: 'how often' },
  partialResponses: 'answers of those who stop halfway',
}

/** The questions and settings of a survey, as a draft until they are saved. */
export function SurveyForm({ survey, onSave, ...saving }: SurveyFormProps) {
  const { draft, set, drafted } = useDraft(survey, partNames)
  return (
    <DraftForm
      {...drafted}
      {...saving}
      onSave={() => onSave({ ...draft, questions: draft.questions.map(savedQuestion) })}
      aside={<SurveySettings draft={draft} canChange={saving.canChange} onChange={set} />}
    >
      <Questions questions={draft.questions} onChange={(questions) => set({ questions })} />
    </DraftForm>
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
          questions={questions}
          onChange={(next) => onChange(questions.map((one, place) => (place === index ? next : one)))}
          onRemove={questions.length === 1 ? undefined : () => onChange(withoutQuestion(questions, index))}
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
