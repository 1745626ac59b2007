# syntax=docker/dockerfile:1
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY tsconfig.json ./
COPY apps apps
COPY libs libs
COPY bin/build-portal.mjs bin/build-service.mjs bin/stamps.mjs bin/
# Without the optional packages there is no embedded PostgreSQL: a container is given DATABASE_URL.
RUN npm run build && npm prune --ignore-scripts --omit=dev --omit=optional

FROM node:24-slim
# A larger young generation: calls leave much short-lived garbage, and collecting it is what costs.
ENV NODE_ENV=production HOST=0.0.0.0 NODE_OPTIONS=--max-semi-space-size=16
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
# What a process must find again after it was killed; a volume mounted here belongs to node too.
RUN mkdir /data && chown node:node /data
ENV DATA_DIR=/data
VOLUME /data
USER node
EXPOSE 3000 3001 3002 3003
# Straight into the build: bin/start.mjs is for a checkout, and would install and build here.
# The other processes are dist/apps/accounting/src/main.js and dist/apps/popindex/src/main.js.
CMD ["node", "dist/apps/api/src/main.js"]
