import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterContextProvider,
} from '@tanstack/react-router'
import { type RenderResult, render } from '@testing-library/react'
import type { ReactElement } from 'react'

/** Renders a view with a router around it, so that its links have addresses; the view itself knows no URL. */
export function renderView(view: ReactElement): RenderResult {
  const root = createRootRoute({ component: Outlet })
  const anywhere = createRoute({ getParentRoute: () => root, path: '$' })
  const router = createRouter({
    routeTree: root.addChildren([anywhere]),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  const wrap = (ui: ReactElement) => <RouterContextProvider router={router}>{ui}</RouterContextProvider>
  const result = render(wrap(view))
  return { ...result, rerender: (next) => result.rerender(wrap(next as ReactElement)) }
}
