package dev.mailroom.observability;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.logging.LoggersEndpoint;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggerGroups;
import org.springframework.boot.logging.LoggingSystem;

/**
 * The log levels on the management port. Each change is logged before it takes effect,
 * because it may switch off this logger.
 */
@Endpoint(id = "loggers")
@ConditionalOnBean(LoggingSystem.class)
class LogLevels extends LoggersEndpoint {

	private static final Logger log = LoggerFactory.getLogger(LogLevels.class);

	LogLevels(LoggingSystem system, ObjectProvider<LoggerGroups> groups) {
		super(system, groups.getIfAvailable(LoggerGroups::new));
	}

	@Override
	@WriteOperation
	public void configureLogLevel(@Selector String name, @Nullable LogLevel configuredLevel) {
		log.warn("The level of the logger {} is set to {} on the management port", name,
				(configuredLevel != null) ? configuredLevel : "that of its parent");
		super.configureLogLevel(name, configuredLevel);
	}

}
