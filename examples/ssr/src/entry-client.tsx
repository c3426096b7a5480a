import { hydrateRoot } from 'react-dom/client'
import { App } from './App'
import type { PageProps } from './pages'

const props = JSON.parse(document.getElementById('props')!.textContent) as PageProps
hydrateRoot(document.getElementById('root')!, <App {...props} />)
