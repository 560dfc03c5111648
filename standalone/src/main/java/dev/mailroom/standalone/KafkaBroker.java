package dev.mailroom.standalone;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import kafka.server.BrokerLifecycleManager;
import kafka.server.BrokerServer;
import kafka.server.ControllerServer;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.server.Server;
import kafka.server.SharedServer;
import kafka.server.StandardFaultHandlerFactory;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.bootstrap.BootstrapMetadata;
import org.apache.kafka.metadata.properties.MetaPropertiesEnsemble;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.raft.QuorumConfig;
import org.apache.kafka.server.ServerSocketFactory;
import org.apache.kafka.server.common.Feature;
import org.apache.kafka.server.metrics.KafkaYammerMetrics;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Tuple2;

/**
 * The embedded Kafka broker: broker and KRaft controller in this process, with a durable
 * log. It uses internal classes of Kafka, whose version is therefore pinned; no other
 * type refers to them.
 */
final class KafkaBroker implements Part {

	private static final Logger log = LoggerFactory.getLogger(KafkaBroker.class);

	private static final String CLUSTER_ID = "mailroom-standalone-00";

	private static final String NODE_ID = "1";

	/** In nanoseconds: 200 ms. */
	private static final String TIMER_SLACK = "200000000";

	private static final Duration CONTROLLED_SHUTDOWN_TIMEOUT = Duration.ofSeconds(2);

	private static final int HEARTBEAT_MILLIS = 25;

	private static final int SEGMENT_BYTES = 16 * 1024 * 1024;

	private static final int CLEANER_BUFFER_BYTES = 2 * 1024 * 1024;

	private final Path directory;

	private final int port;

	private final int controllerPort;

	private final Map<String, String> deviations;

	private @Nullable ControllerServer controller;

	private @Nullable BrokerServer broker;

	KafkaBroker(Path directory, int port, int controllerPort) {
		this(directory, port, controllerPort, Map.of());
	}

	/**
	 * Creates a node of a cluster.
	 * @param deviations settings that differ from those of a single node
	 */
	KafkaBroker(Path directory, int port, int controllerPort, Map<String, String> deviations) {
		this.directory = directory;
		this.port = port;
		this.controllerPort = controllerPort;
		this.deviations = deviations;
	}

	String bootstrap() {
		return "127.0.0.1:" + this.port;
	}

	@Override
	public void start() throws Exception {
		Files.createDirectories(this.directory);
		Map<String, String> settings = settings();
		format(Integer.parseInt(settings.getOrDefault("node.id", NODE_ID)));
		slackenTimers();
		start(KafkaConfig.apply(settings, false));
	}

	/**
	 * Starts what {@link KafkaRaftServer} would start. It does not give access to its
	 * broker, which is needed to {@linkplain #leave leave} the cluster.
	 */
	private void start(KafkaConfig config) {
		KafkaYammerMetrics.INSTANCE.configure(config.originals());
		Tuple2<MetaPropertiesEnsemble, BootstrapMetadata> stored = KafkaRaftServer.initializeLogDirs(config, log, "");
		QuorumConfig quorum = config.quorumConfig();
		SharedServer shared = new SharedServer(config, stored._1(), Time.SYSTEM,
				Server.initializeMetrics(config, Time.SYSTEM, CLUSTER_ID),
				CompletableFuture.completedFuture(QuorumConfig.parseVoterConnections(quorum.voters())), List.of(),
				new StandardFaultHandlerFactory(), ServerSocketFactory.INSTANCE);
		ControllerServer newController = new ControllerServer(shared, KafkaRaftServer.configSchema(), stored._2());
		this.controller = newController;
		newController.startup();
		BrokerServer newBroker = new BrokerServer(shared);
		newBroker.startup();
		this.broker = newBroker;
	}

	/**
	 * Lets the kernel delay the timed waits of this thread and of the threads that it
	 * starts, so that several of them end at once (proc(5), timerslack_ns). About twenty
	 * threads of a broker wake up several times a second even if it is idle. A request
	 * does not wait for a timer.
	 */
	private static void slackenTimers() {
		try {
			Path thread = Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName();
			Files.writeString(Path.of("/proc", thread.toString(), "timerslack_ns"), TIMER_SLACK);
		}
		catch (IOException ex) {
			log.debug("The timers of the embedded broker keep their precision", ex);
		}
	}

	private void format(int node) throws Exception {
		new Formatter().setPrintStream(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
			.setClusterId(CLUSTER_ID)
			.setNodeId(node)
			.addDirectory(this.directory.toString())
			.setMetadataLogDirectory(this.directory.toString())
			.setControllerListenerName("CONTROLLER")
			.setSupportedFeatures(Feature.PRODUCTION_FEATURES)
			.setIgnoreFormatted(true)
			.run();
	}

	private Map<String, String> settings() {
		Map<String, String> settings = new HashMap<>();
		settings.put("process.roles", "broker,controller");
		settings.put("node.id", NODE_ID);
		settings.put("log.dirs", this.directory.toString());
		settings.put("metadata.log.dir", this.directory.toString());
		configureListeners(settings);
		configureSingleNode(settings);
		configureFastRestart(settings);
		limitResources(settings);
		settings.putAll(this.deviations);
		return settings;
	}

	private void configureListeners(Map<String, String> settings) {
		String controller = "127.0.0.1:" + this.controllerPort;
		settings.put("listeners", "BROKER://" + bootstrap() + ",CONTROLLER://" + controller);
		settings.put("advertised.listeners", "BROKER://" + bootstrap());
		settings.put("listener.security.protocol.map", "BROKER:PLAINTEXT,CONTROLLER:PLAINTEXT");
		settings.put("inter.broker.listener.name", "BROKER");
		settings.put("controller.listener.names", "CONTROLLER");
		settings.put("controller.quorum.voters", NODE_ID + "@" + controller);
	}

	private static void configureSingleNode(Map<String, String> settings) {
		// Mailroom creates its topics: an auto-created one would have a single partition.
		settings.put("auto.create.topics.enable", "false");
		settings.put("offsets.topic.replication.factor", "1");
		settings.put("transaction.state.log.replication.factor", "1");
		settings.put("transaction.state.log.min.isr", "1");
		settings.put("share.coordinator.state.topic.replication.factor", "1");
		settings.put("share.coordinator.state.topic.min.isr", "1");
		settings.put("group.initial.rebalance.delay.ms", "0");
	}

	private static void configureFastRestart(Map<String, String> settings) {
		settings.put("controlled.shutdown.enable", "true");
		settings.put("broker.session.timeout.ms", "4000");
		settings.put("broker.heartbeat.interval.ms", "1500");
		// A start and a stop write metadata several times in succession.
		settings.put("controller.quorum.append.linger.ms", "0");
	}

	/**
	 * Limits threads, memory and disk space. The queue is in PostgreSQL, so an hour of
	 * retention is enough for the topics.
	 */
	private static void limitResources(Map<String, String> settings) {
		settings.put("offsets.topic.num.partitions", "1");
		settings.put("transaction.state.log.num.partitions", "1");
		settings.put("share.coordinator.state.topic.num.partitions", "1");
		settings.put("num.network.threads", "1");
		settings.put("num.io.threads", "1");
		settings.put("background.threads", "2");
		settings.put("group.coordinator.threads", "1");
		settings.put("metadata.max.idle.interval.ms", "0");
		settings.put("metric.reporters", "");
		settings.put("metrics.jmx.exclude", ".*");
		settings.put("log.segment.bytes", Integer.toString(SEGMENT_BYTES));
		settings.put("log.retention.minutes", "60");
		settings.put("log.cleaner.dedupe.buffer.size", Integer.toString(CLEANER_BUFFER_BYTES));
	}

	@Override
	public void close() throws Exception {
		if (this.broker != null) {
			leave(this.broker);
			this.broker.shutdown(Duration.ZERO);
		}
		if (this.controller != null) {
			this.controller.shutdown();
		}
	}

	/**
	 * Waits until the controller has agreed that the broker shuts down. A broker asks for
	 * it in its heartbeats and takes the response to a heartbeat that was in flight for a
	 * refusal; it would then ask again only after a whole interval. A broker that reports
	 * again that it is ready sends a heartbeat at once.
	 */
	private static void leave(BrokerServer broker) throws Exception {
		BrokerLifecycleManager lifecycle = broker.lifecycleManager();
		broker.replicaManager().beginControlledShutdown();
		lifecycle.beginControlledShutdown();
		long deadline = System.nanoTime() + CONTROLLED_SHUTDOWN_TIMEOUT.toNanos();
		while (System.nanoTime() < deadline) {
			try {
				lifecycle.controlledShutdownFuture().get(HEARTBEAT_MILLIS, TimeUnit.MILLISECONDS);
				return;
			}
			catch (TimeoutException _) {
				CompletableFuture<Void> _ = lifecycle.setReadyToUnfence();
			}
		}
	}

}
