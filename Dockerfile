# cfglint without a network: `docker run --rm --network=none -v "$PWD:/work:ro" IMAGE check .`
FROM python:3.13-slim
COPY dist/*.whl /tmp/dist/
RUN pip install --no-cache-dir --root-user-action=ignore /tmp/dist/*.whl && rm -r /tmp/dist \
    && useradd --create-home cfglint
USER cfglint
WORKDIR /work
ENTRYPOINT ["cfglint"]
CMD ["check", "."]
