export default defineNuxtConfig({
  compatibilityDate: '2026-11-01',
  css: ['../next-app-router/app/style.css'],
  app: {
    head: {
      title: 'lib-auth demo',
      htmlAttrs: { lang: 'en' },
      link: [{ rel: 'icon', href: 'data:,' }],
    },
  },
})
