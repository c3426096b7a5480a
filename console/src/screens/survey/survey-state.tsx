import type { Survey } from '../../lib/api/schemas.ts'
import { Dot } from '../../ui/badge.tsx'

/** Whether people are asked. */
export function SurveyState({ state }: Pick<Survey, 'state'>) {
  return <Dot tone={state === 'running' ? 'ok' : 'quiet'}>{state}</Dot>
}
