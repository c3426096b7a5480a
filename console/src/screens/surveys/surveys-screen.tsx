import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import { surveysQuery } from '../../lib/api/queries.ts'
import { useRights } from '../../lib/rights.ts'
import { Button } from '../../ui/button.tsx'
import { useToast } from '../../ui/toast.tsx'
import { SurveysView } from './surveys-view.tsx'

interface SurveysScreenProps {
  readonly onOpen: (id: string) => void
}

/** What a new survey begins with: a draft, which is not asked yet. */
const newSurvey = {
  name: 'Untitled survey',
  description: '',
  type: 'popover',
  questions: [{ type: 'open', id: 'first', question: 'What could be better?' }],
  appearance: { displayThankYouMessage: true, thankYouMessageHeader: 'Thank you!', whiteLabel: true },
  conditions: {},
  linkedFlagKey: null,
  schedule: 'once',
  partialResponses: true,
} as const

/** Every survey. */
export function SurveysScreen({ onOpen }: SurveysScreenProps) {
  const queryClient = useQueryClient()
  const toast = useToast()
  const { data: surveys, error, refetch } = useQuery(surveysQuery)
  const { canChange } = useRights()
  const create = useMutation({
    mutationFn: () => api.createSurvey({ ...newSurvey, questions: [...newSurvey.questions] }),
    async onSuccess({ id }) {
      await queryClient.invalidateQueries({ queryKey: surveysQuery.queryKey })
      onOpen(id)
    },
    onError: (failure) => toast.add({ title: 'The survey was not stored.', description: errorText(failure) }),
  })
  return (
    <Page
      title="Surveys"
      actions={
        canChange && (
          <Button look="primary" disabled={create.isPending} onClick={() => create.mutate()}>
            New survey
          </Button>
        )
      }
    >
      {error && !surveys ? (
        <ErrorProblem error={error} onRetry={refetch} />
      ) : (
        <SurveysView surveys={surveys} onOpen={({ id }) => onOpen(id)} />
      )}
    </Page>
  )
}
