package dev.mailroom.observability;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.SingleThreadEventExecutor;
import reactor.netty.http.HttpResources;
import reactor.netty.resources.LoopResources;
import reactor.netty.tcp.TcpResources;

import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * Meters of the threads that serve all connections. A task that waits on one of them
 * delays every other connection of that thread.
 */
@EnableScheduling
class EventLoopMeters {

	private final Timer delay;

	EventLoopMeters(MeterRegistry registry) {
		this.delay = Timer.builder("mailroom.event.loop.delay")
			.description("Time that a task waits for an event loop, measured on each loop every 15 seconds")
			.serviceLevelObjectives(Buckets.QUICK)
			.register(registry);
		Gauge
			.builder("mailroom.event.loop.pending.tasks",
					() -> loops().stream().mapToInt(EventLoopMeters::pending).sum())
			.description("Tasks that wait for an event loop")
			.register(registry);
	}

	/** Submits a task to each loop, without waiting for it. */
	@Scheduled(initialDelay = 1, fixedDelay = 15, timeUnit = TimeUnit.SECONDS)
	void probe() {
		loops().forEach((loop) -> {
			long begin = System.nanoTime();
			loop.execute(() -> this.delay.record(Duration.ofNanos(System.nanoTime() - begin)));
		});
	}

	/** The loops of HTTP servers and those of all other connections. */
	private static List<EventExecutor> loops() {
		return Stream.of(HttpResources.get(), TcpResources.get())
			.map((resources) -> resources.onServer(LoopResources.DEFAULT_NATIVE))
			.flatMap((group) -> StreamSupport.stream(group.spliterator(), false))
			.filter((loop) -> !loop.isShuttingDown())
			.toList();
	}

	private static int pending(EventExecutor loop) {
		return (loop instanceof SingleThreadEventExecutor single) ? single.pendingTasks() : 0;
	}

}
