import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/**
 * What pdf.js asks for by name when a document needs it: fonts and character maps that the document does not bring, and
 * decoders of rare images. Of these the ones in plain JavaScript, since the console's content policy allows no WebAssembly.
 */
function pdfData(): Plugin {
  const source = fileURLToPath(new URL('.', import.meta.resolve('pdfjs-dist/package.json')))
  const names = ['cmaps', 'standard_fonts', 'wasm'].flatMap((folder) =>
    readdirSync(join(source, folder))
      .filter((name) => !/\.wasm$|quickjs/i.test(name))
      .map((name) => `${folder}/${name}`),
  )
  const place = 'assets/pdf/'
  return {
    name: 'pdf-data',
    generateBundle() {
      for (const name of names)
        this.emitFile({ type: 'asset', fileName: `${place}${name}`, source: readFileSync(join(source, name)) })
    },
    configureServer({ middlewares, config }) {
      middlewares.use(`${config.base}${place}`, (request, answer, next) => {
        const name = names.find((each) => request.url === `/${each}`)
        if (name === undefined) return next()
        if (name.endsWith('.js')) answer.setHeader('content-type', 'text/javascript')
        answer.end(readFileSync(join(source, name)))
      })
    },
  }
}

export default defineConfig({
  base: '/console/',
  plugins: [
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      routesDirectory: './src/routes',
      generatedRouteTree: './src/routes.gen.ts',
      quoteStyle: 'single',
      semicolons: false,
      addExtensions: true,
      routeFileIgnorePattern: '[.]test[.]',
    }),
    react({ compiler: true }),
    tailwindcss(),
    pdfData(),
  ],
  worker: { format: 'es' },
  build: {
    outDir: '../server/dist/console',
    emptyOutDir: true,
    target: 'es2023',
    chunkSizeWarningLimit: 600,
    // Read by scripts/checks/screen-sizes.js.
    manifest: true,
  },
  server: { proxy: { '/console/api': { target: 'http://127.0.0.1:54323', ws: true } } },
})
