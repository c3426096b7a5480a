import type { SurveyQuestion } from '../../lib/api/schemas.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { Switch } from '../../ui/switch.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { BranchingEditor } from './branching-editor.tsx'

interface QuestionEditorProps {
  /** Counted from one. */
  readonly number: number
  readonly question: SurveyQuestion
  /** All of the survey: one can lead to a later one. */
  readonly questions: readonly SurveyQuestion[]
  readonly onChange: (question: SurveyQuestion) => void
  /** Absent for the only question. */
  readonly onRemove: (() => void) | undefined
}

const types = [
  { value: 'open', label: 'a text' },
  { value: 'rating', label: 'a rating' },
  { value: 'single_choice', label: 'one of several' },
  { value: 'multiple_choice', label: 'some of several' },
  { value: 'link', label: 'a link to follow' },
] as const

/** What a question of this type needs besides, as it begins. */
const beginnings: Readonly<Record<SurveyQuestion['type'], Partial<SurveyQuestion>>> = {
  open: {},
  link: { link: 'https://' },
  rating: {
    ...{ display: 'number', scale: 10 },
    ...{ lowerBoundLabel: 'Not at all likely', upperBoundLabel: 'Very likely' },
  },
  single_choice: { choices: ['Yes', 'No'] },
  multiple_choice: { choices: ['One', 'Another'] },
}

/** One question of a survey. */
export function QuestionEditor({ number, question, questions, onChange, onRemove }: QuestionEditorProps) {
  const set = (change: Partial<SurveyQuestion>) => onChange({ ...question, ...change })
  const { id, question: text, description, optional } = question
  return (
    <section aria-label={`Question ${number}`} className="grid gap-3 border-line border-b py-4">
      <header className="flex h-7 items-center gap-2">
        <h2 className="font-medium">{number}.</h2>
        <Select
          label="Answered by"
          value={question.type}
          options={types}
          onChange={(type) =>
            onChange({
              ...{ id, question: text, type },
              ...(description === undefined ? {} : { description }),
              ...(optional === undefined ? {} : { optional }),
              ...beginnings[type],
            })
          }
        />
        <span className="flex-1" />
        {onRemove && (
          <Button size="small" onClick={onRemove}>
            Remove
          </Button>
        )}
      </header>
      <Field
        label="Question"
        value={text}
        maxLength={2000}
        required
        onChange={(event) => set({ question: event.target.value })}
      />
      <Particulars question={question} onChange={set} />
      <div className="flex items-center gap-2">
        <Switch label="May be skipped" on={optional === true} onToggle={(on) => set({ optional: on })} />
        <span>May be skipped</span>
      </div>
      <BranchingEditor place={number - 1} questions={questions} onChange={onChange} />
    </section>
  )
}

interface ParticularsProps {
  readonly question: SurveyQuestion
  readonly onChange: (change: Partial<SurveyQuestion>) => void
}

/** What only questions of this type have. */
function Particulars({ question, onChange: set }: ParticularsProps) {
  switch (question.type) {
    case 'open':
      return null
    case 'link':
      return <Field label="Link" value={question.link ?? ''} onChange={(event) => set({ link: event.target.value })} />
    case 'rating':
      return <Rating question={question} onChange={set} />
    default:
      return (
        <>
          <TextArea
            label="Choices, one a line"
            rows={4}
            value={(question.choices ?? []).join('\n')}
            onChange={(event) => set({ choices: event.target.value.split('\n') })}
          />
          <div className="flex items-center gap-2">
            <Switch
              label="The last choice is answered by a text"
              on={question.hasOpenChoice === true}
              onToggle={(hasOpenChoice) => set({ hasOpenChoice })}
            />
            <span>The last choice is answered by a text</span>
          </div>
        </>
      )
  }
}

function Rating({ question, onChange: set }: ParticularsProps) {
  return (
    <div className="grid gap-3 narrow:grid-cols-[auto_1fr_1fr]">
      <div className="grid content-start gap-1">
        <span className="font-medium text-ink-2 text-sm">Scale</span>
        <Select
          label="Scale"
          className="h-8"
          value={String(question.scale)}
          options={[
            { value: '2', label: 'thumbs' },
            { value: '3', label: '1 to 3' },
            { value: '5', label: '1 to 5' },
            { value: '7', label: '1 to 7' },
            { value: '10', label: '0 to 10' },
          ]}
          onChange={(scale) => set({ scale: Number(scale), display: scale === '2' ? 'emoji' : 'number' })}
        />
      </div>
      <Field
        label="The least means"
        value={question.lowerBoundLabel ?? ''}
        onChange={(event) => set({ lowerBoundLabel: event.target.value })}
      />
      <Field
        label="The most means"
        value={question.upperBoundLabel ?? ''}
        onChange={(event) => set({ upperBoundLabel: event.target.value })}
      />
    </div>
  )
}
