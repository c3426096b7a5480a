import type { SurveyQuestion } from '../../lib/api/schemas.ts'
import { Select } from '../../ui/field.tsx'
import { branchesOf, withBranching } from './branching.ts'

interface BranchingEditorProps {
  /** Counted from zero. */
  readonly place: number
  readonly questions: readonly SurveyQuestion[]
  readonly onChange: (question: SurveyQuestion) => void
}

/** What follows a question: the next one, a later one, the end, or what the answer decides. The last one is followed by the end. */
export function BranchingEditor({ place, questions, onChange }: BranchingEditorProps) {
  const question = questions[place]
  const later = questions.map((one, index) => ({ index, text: one.question })).slice(place + 2)
  if (question === undefined || place === questions.length - 1) return null
  const branches = branchesOf(question)
  const steps = [
    { value: 'next', label: 'the next question' },
    ...later.map(({ index, text }) => ({ value: String(index), label: `${index + 1}. ${text}` })),
    { value: 'end', label: 'the end' },
  ]
  const { branching } = question
  const { responseValues = {} } = branching ?? {}
  const isByAnswer = branching?.type === 'response_based'
  const choose = (step: string): SurveyQuestion => {
    if (step === 'answer') return withBranching(question, { type: 'response_based', responseValues: {} })
    if (step === 'end') return withBranching(question, { type: 'end' })
    return withBranching(question, step === 'next' ? null : { type: 'specific_question', index: Number(step) })
  }
  const chosen = isByAnswer ? 'answer' : branching?.type === 'end' ? 'end' : String(branching?.index ?? 'next')
  const setBranch = (name: string, step: string) => {
    const { [name]: _, ...others } = responseValues
    const values = step === 'next' ? others : { ...others, [name]: step === 'end' ? ('end' as const) : Number(step) }
    onChange(withBranching(question, { type: 'response_based', responseValues: values }))
  }
  return (
    <div className="grid gap-1.5">
      <div className="flex min-w-0 items-center gap-2">
        <span className="text-ink-2">Then</span>
        <Select
          label="Then"
          className="min-w-0 max-w-80"
          value={chosen}
          options={branches.length === 0 ? steps : [...steps, { value: 'answer', label: 'by the answer' }]}
          onChange={(step) => onChange(choose(step))}
        />
      </div>
      {isByAnswer && (
        <ul aria-label="By the answer" className="grid gap-1.5 pl-4">
          {branches.map(({ name, label }) => (
            <li key={name} className="flex min-w-0 items-center gap-2">
              <span className="min-w-20 truncate text-ink-2">{label}</span>
              <Select
                label={`After ${label}`}
                className="min-w-0 max-w-80"
                value={String(responseValues[name] ?? 'next')}
                options={steps}
                onChange={(step) => setBranch(name, step)}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
