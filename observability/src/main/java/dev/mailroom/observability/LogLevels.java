package dev.mailroom.observability;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.logging.LoggersEndpoint;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggerGroups;
import org.springframework.boot.logging.LoggingSystem;

/**
 * The log levels on the management port. A change lasts for a limited time. It is logged
 * before it takes effect, because it may switch off this logger.
 */
@Endpoint(id = "loggers")
@ConditionalOnBean(LoggingSystem.class)
class LogLevels extends LoggersEndpoint {

	private static final Logger log = LoggerFactory.getLogger(LogLevels.class);

	private static final Duration USUAL = Duration.ofMinutes(15);

	private static final Duration LONGEST = Duration.ofDays(1);

	private final Map<String, Change> changes = new HashMap<>();

	LogLevels(LoggingSystem system, ObjectProvider<LoggerGroups> groups) {
		super(system, groups.getIfAvailable(LoggerGroups::new));
	}

	/**
	 * Sets the level of a logger, or of a group of them, for a time. A further change
	 * begins a new time, at whose end the level before the first one is restored.
	 * @param name name of the logger or the group
	 * @param configuredLevel level; that of the parent if null
	 * @param duration time with its unit; 15 minutes if null, one day at most
	 */
	@WriteOperation
	public synchronized void change(@Selector String name, @Nullable LogLevel configuredLevel,
			@Nullable Duration duration) {
		Duration time = Objects.requireNonNullElse(duration, USUAL);
		if (!time.isPositive() || time.compareTo(LONGEST) > 0) {
			throw new InvalidEndpointRequestException("duration " + time, "The duration must be from 1ms to 1d");
		}
		Change before = this.changes.get(name);
		Change change = new Change((before != null) ? before.original() : level(name), new Object());
		this.changes.put(name, change);
		log.warn("The level of the logger {} is set to {} for {} on the management port", name,
				described(configuredLevel), time);
		configureLogLevel(name, configuredLevel);
		CompletableFuture.delayedExecutor(time.toMillis(), TimeUnit.MILLISECONDS).execute(() -> end(name, change));
	}

	/** Restores a level, unless a later change has replaced this one. */
	private synchronized void end(String name, Change change) {
		if (this.changes.remove(name, change)) {
			configureLogLevel(name, change.original());
			log.warn("The level of the logger {} is {} again", name, described(change.original()));
		}
	}

	private @Nullable LogLevel level(String name) {
		LoggerLevelsDescriptor levels = loggerLevels(name);
		return (levels != null && levels.getConfiguredLevel() != null) ? LogLevel.valueOf(levels.getConfiguredLevel())
				: null;
	}

	/** Not an operation of the endpoint: the inherited one has no limit of time. */
	@Override
	public void configureLogLevel(String name, @Nullable LogLevel configuredLevel) {
		super.configureLogLevel(name, configuredLevel);
	}

	private static String described(@Nullable LogLevel level) {
		return (level != null) ? level.name() : "that of its parent";
	}

	/** Change that has not ended; no other one has its id. */
	private record Change(@Nullable LogLevel original, Object id) {
	}

}
