import { createFileRoute } from '@tanstack/react-router'
import { Page } from '../frame/page.tsx'

export const Route = createFileRoute('/')({ component: HomeRoute })

function HomeRoute() {
  return <Page title="Home">{null}</Page>
}
