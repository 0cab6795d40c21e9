# syntax=docker/dockerfile:1
# Vostro for production, on a PostgreSQL of your own (DATABASE_URL): docs/production.md says how to run it.
#   docker build --tag vostro:0.1.0 .

# The Node that package.json pins and every test runs on.
ARG NODE_VERSION=26.10.0

# The console, as browsers get it. What builds it stays in this stage.
FROM node:${NODE_VERSION}-bookworm-slim AS console
WORKDIR /vostro
COPY package.json package-lock.json .npmrc ./
COPY server/package.json server/
COPY sdk/package.json sdk/README.md sdk/
COPY cli/package.json cli/README.md cli/
COPY console/package.json console/
RUN npm ci --workspace=console --ignore-scripts
COPY tsconfig.json ./
COPY sdk/src sdk/src
COPY console console
RUN chown 1000:1000 console
USER 1000:1000
RUN node console/build.ts

FROM node:${NODE_VERSION}-bookworm-slim AS build
WORKDIR /vostro
COPY package.json package-lock.json .npmrc ./
COPY server/package.json server/
COPY sdk/package.json sdk/README.md sdk/
COPY cli/package.json cli/README.md cli/
COPY console/package.json console/
# Neither what only tests need, nor what is optional: the embedded PostgreSQL, and the Node that the base image already has.
RUN npm ci --omit=dev --omit=optional --ignore-scripts
COPY server server
COPY docs docs
COPY README.md SECURITY.md LICENSE NOTICE ./
# Compiled code, so that a container starts as fast as a second `npm start`. Node keeps it by user and by flags, so both are those of the service; and
# for its owner alone, who is root in the image.
RUN mkdir --parents node_modules/.cache/node && chown 1000:1000 node_modules/.cache/node
USER 1000:1000
RUN NODE_COMPILE_CACHE=node_modules/.cache/node node --max-semi-space-size=16 --heap-growing-percent=60 --no-parallel-scavenge --eval "import('./server/src/service.ts').then(() => import('./server/src/config.ts'))" && chmod --recursive a+r node_modules/.cache

FROM node:${NODE_VERSION}-bookworm-slim
ENV NODE_COMPILE_CACHE=node_modules/.cache/node
ENV HOST=0.0.0.0
ENV BUILD_CONSOLE=off
WORKDIR /vostro
# Everything belongs to root, so the service can change none of its own files.
COPY --from=build /vostro ./
COPY --from=console /vostro/console/dist console/dist
USER 1000:1000
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "--eval", "fetch('http://127.0.0.1:8080/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=16", "--heap-growing-percent=60", "--no-parallel-scavenge", "server/src/main.ts"]
