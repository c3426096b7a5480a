import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

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
  ],
  build: { outDir: '../server/dist/console', emptyOutDir: true, target: 'es2023' },
  server: { proxy: { '/console/api': { target: 'http://127.0.0.1:54323', ws: true } } },
})
