import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useGo } from '../../lib/go.ts'
import { surveyQuery } from '../../screens/survey/queries.ts'
import { SurveyScreen, type SurveyTab } from '../../screens/survey/survey-screen.tsx'

export const Route = createFileRoute('/surveys/$id')({
  validateSearch: ({ tab }): { readonly tab?: SurveyTab } => (tab === 'answers' ? { tab } : {}),
  loader: ({ context, params }) => context.queryClient.ensureQueryData(surveyQuery(params.id)),
  component: SurveyRoute,
})

function SurveyRoute() {
  const go = useGo(Route)
  const { id } = Route.useParams()
  const { tab = 'questions' } = Route.useSearch()
  const { data } = useSuspenseQuery(surveyQuery(id))
  return (
    <SurveyScreen
      key={id}
      survey={data}
      tab={tab}
      onTab={(next) => go({ search: next === 'questions' ? {} : { tab: next }, replace: true })}
      onArchived={() => go({ to: '/surveys', ignoreBlocker: true })}
    />
  )
}
