import type { Question, SurveyBody } from './schemas.ts'

const scales = new Set([2, 3, 5, 7, 10])

/** Why a survey cannot be asked as it is defined, in words; null where it can. */
export function findProblem({ questions, conditions }: Pick<SurveyBody, 'questions' | 'conditions'>): string | null {
  // Answers carry the id of their question.
  if (new Set(questions.map(({ id }) => id)).size < questions.length) return 'two questions have one id'
  for (const question of questions) {
    const problem = findProblemOf(question)
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

function isRegularExpression(text: string): boolean {
  try {
    new RegExp(text)
    return true
  } catch {
    return false
  }
}
