# One image for every process: `serve` unless told otherwise (`web`, `worker`, `db upgrade`), run by a user without rights.

FROM python:3.11-slim AS build
WORKDIR /build
RUN python -m venv /app
COPY requirements.txt ./
RUN /app/bin/pip install --no-cache-dir --requirement requirements.txt
COPY pyproject.toml README.md LICENSE app.yml ./
COPY bot bot
COPY classifier classifier
COPY reports reports
# With bytecode a process is ready in half the time.
RUN /app/bin/pip install --no-cache-dir --no-deps . && /app/bin/python -m compileall -q /app

FROM python:3.11-slim
RUN useradd --uid 10001 --create-home --home-dir /data rootcause
COPY --from=build /app /app
ENV PATH=/app/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PORT=8080 \
    ROOTCAUSE_DATA_DIR=/data
USER 10001
WORKDIR /data
EXPOSE 8080
# Only `serve` and `web` listen: of any other command nothing can be asked, and it is healthy as long as it runs.
HEALTHCHECK --start-period=30s --timeout=5s \
    CMD ["python", "-c", "import os, urllib.request as r; words = open('/proc/1/cmdline').read().replace(chr(0), ' ').split(); {'serve', 'web'}.isdisjoint(words) or r.urlopen(f'http://127.0.0.1:{os.environ[\"PORT\"]}/healthz')"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["rootcause"]
CMD ["serve"]
