import type { Question, SurveyBody } from './schemas.ts'

const scales = new Set([2, 3, 5, 7, 10])

/** Why a survey cannot be asked as it is defined, in words; null where it can. */
export function findProblem({ questions, conditions }: Pick<SurveyBody, 'questions' | 'conditions'>): string | null {
  // Answers carry the id of their question.
  if (new Set(questions.map(({ id }) => id)).size < questions.length) return 'two questions have one id'
  for (const [place, question] of questions.entries()) {
    const problem = findProblemOf(question) ?? findBranchingProblem(question, place, questions.length)
    if (problem !== null) return `the question ‘${question.question}’ ${problem}`
  }
  const isPattern = conditions.urlMatchType === 'regex' || conditions.urlMatchType === 'not_regex'
  return isPattern && !isRegularExpression(conditions.url ?? '') ? 'the address is no regular expression' : null
}

function findProblemOf({ type, link = '', display, scale = 0, choices }: Question): string | null {
  if (type === 'link' && !/^(https?:\/\/|mailto:)/.test(link)) return 'has no link of http, https or mailto'
  if (type === 'rating' && (display === undefined || !scales.has(scale)))
    return 'has no display, or no scale of 2, 3, 5, 7 or 10'
  return type.endsWith('choice') && choices === undefined ? 'has no choices' : null
}

/** A question leads on only: a circle would never end. */
function findBranchingProblem({ branching, ...question }: Question, place: number, count: number): string | null {
  if (branching === undefined || branching.type === 'end') return null
  const { index, responseValues = {} } = branching
  const steps = branching.type === 'specific_question' ? [index ?? place] : Object.values(responseValues)
  if (steps.some((step) => step !== 'end' && (step <= place || step >= count)))
    return 'leads to a question that does not come after it'
  if (branching.type === 'specific_question') return null
  const known = answersOf(question)
  return Object.keys(responseValues).every((answer) => known.includes(answer))
    ? null
    : 'leads on by an answer that it does not have'
}

/** What posthog-js tells apart of the answers, as the members of `responseValues`. */
function answersOf({ type, choices = [], scale }: Omit<Question, 'branching'>): readonly string[] {
  if (type === 'single_choice') return choices.map((_, choice) => String(choice))
  if (type !== 'rating') return []
  if (scale === 10) return ['detractors', 'passives', 'promoters']
  return scale === 2 ? ['negative', 'positive'] : ['negative', 'neutral', 'positive']
}

function isRegularExpression(text: string): boolean {
  try {
    new RegExp(text)
    return true
  } catch {
    return false
  }
}
