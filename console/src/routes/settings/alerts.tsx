import { createFileRoute } from '@tanstack/react-router'
import { AlertsScreen } from '../../screens/alerts/alerts-screen.tsx'

export const Route = createFileRoute('/settings/alerts')({
  component: AlertsScreen,
})
