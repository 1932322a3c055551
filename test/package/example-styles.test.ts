import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('the examples for both routers of Next.js have the same style sheet', () => {
  const read = (path: string) =>
    readFileSync(new URL(`../../examples/${path}`, import.meta.url), 'utf8')
  expect(read('next-pages-router/style.css')).toBe(read('next-app-router/app/style.css'))
})
