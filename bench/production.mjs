// Imported first: what is measured is a server in production, without the checks of development.
process.env.NODE_ENV = 'production'
