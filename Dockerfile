# docker build --build-arg VERSION=1.2.3 --tag driftline:1.2.3 .
# docker run --rm --read-only --volume "$PWD:/work:ro" --volume driftline-state:/state --env DRIFTLINE_URL --env DRIFTLINE_API_KEY driftline:1.2.3 plan

ARG VERSION=unreleased

FROM node:20-bookworm-slim AS build
ARG VERSION
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && npm prune --omit=dev --ignore-scripts && mkdir state \
    # An exported program depends on a release by its version: the folder in this image is of no use to it.
    && if [ "$VERSION" != unreleased ]; then npm pkg set --json released=true; fi

FROM node:20-bookworm-slim
ARG VERSION
ARG REVISION=unknown
ARG SOURCE=unknown
LABEL org.opencontainers.image.title="driftline" \
      org.opencontainers.image.description="Declare your analytics organization, see what drifted, put it right." \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.source="${SOURCE}"
ENV NODE_ENV=production \
    DRIFTLINE_STATE_DIR=/state
COPY --from=build /build/node_modules /opt/driftline/node_modules
COPY --from=build /build/dist /opt/driftline/dist
COPY --from=build /build/schemas /opt/driftline/schemas
COPY --from=build /build/examples /opt/driftline/examples
COPY --from=build /build/package.json /build/LICENSE /build/README.md /opt/driftline/
# What an interrupted apply leaves has to outlive its container. Nothing else is written.
COPY --from=build --chown=1000:1000 /build/state /state
VOLUME ["/state"]
WORKDIR /work
# The user "node", by number: Kubernetes can see that it is not root.
USER 1000:1000
ENTRYPOINT ["node", "/opt/driftline/dist/bin/driftline.cjs"]
CMD ["--help"]
