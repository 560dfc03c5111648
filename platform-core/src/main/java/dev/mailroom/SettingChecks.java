package dev.mailroom;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

import com.google.common.base.Throwables;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.util.unit.DataSize;

/**
 * Checks of all settings when an app starts. A value that cannot be read, is outside the
 * range of its {@link Allowed}, or is a duration or a size without a unit fails the start
 * with a {@link WrongSetting}. Spring reads a duration without a unit as milliseconds: a
 * retention of 30 would delete everything. Only zero needs no unit.
 */
public final class SettingChecks implements ConfigurationPropertiesBindHandlerAdvisor {

	private static final ConfigurationPropertyName OWN = ConfigurationPropertyName.of("mailroom");

	private static final Pattern VARIABLE = Pattern.compile("\\$\\{(MAILROOM_[A-Z0-9_]+)");

	private static final Pattern WITHOUT_UNIT = Pattern.compile("[+-]?\\d*[1-9]\\d*");

	/** Ranges of Spring's own settings that a variable sets. */
	private static final Map<String, Range> OTHERS = Map.of("server.port", new Range("0", "65535", ""),
			"management.server.port", new Range("0", "65535", ""), "management.tracing.sampling.probability",
			new Range("0", "1", ""));

	private final Environment environment;

	public SettingChecks(Environment environment) {
		this.environment = environment;
	}

	/**
	 * Reads settings outside an app.
	 * @throws org.springframework.boot.context.properties.bind.BindException if a value
	 * is refused
	 */
	public static <T> T bind(ConfigurableEnvironment environment, String prefix, Class<T> type) {
		return Binder.get(environment)
			.bindOrCreate(prefix, Bindable.of(type), new SettingChecks(environment).apply(BindHandler.DEFAULT));
	}

	@Override
	public BindHandler apply(BindHandler handler) {
		return new Checks(handler);
	}

	/**
	 * The environment variable of a property; the property's own name if there is none.
	 */
	private static String variable(ConfigurationPropertyName name, BindContext context) {
		return StreamSupport.stream(context.getSources().spliterator(), false)
			.flatMap((source) -> Optional.ofNullable(source.getConfigurationProperty(name)).stream())
			.flatMap((property) -> variable(property).stream())
			.findFirst()
			.orElseGet(name::toString);
	}

	private static Optional<String> variable(ConfigurationProperty property) {
		Matcher placeholder = VARIABLE.matcher(String.valueOf(property.getValue()));
		if (placeholder.find()) {
			return Optional.of(placeholder.group(1));
		}
		return Optional.ofNullable(property.getOrigin())
			.filter(PropertySourceOrigin.class::isInstance)
			.map((origin) -> ((PropertySourceOrigin) origin).getPropertyName())
			.filter((key) -> key.startsWith("MAILROOM_"));
	}

	/** The value as it was given; empty if the property has none. */
	private Optional<String> text(ConfigurationPropertyName name, BindContext context) {
		for (var source : context.getSources()) {
			ConfigurationProperty property = source.getConfigurationProperty(name);
			if (property != null) {
				return Optional.of(this.environment.resolvePlaceholders(String.valueOf(property.getValue())).strip());
			}
		}
		return Optional.empty();
	}

	/** Type of a value, or of the elements of a list. */
	private static Class<?> type(Bindable<?> target) {
		ResolvableType type = target.getBoxedType();
		return (list(target) ? type.asCollection().getGeneric(0) : type).toClass();
	}

	private static boolean list(Bindable<?> target) {
		return Collection.class.isAssignableFrom(target.getBoxedType().toClass());
	}

	/** Compares bound values with their ranges. */
	private final class Checks extends AbstractBindHandler {

		private Checks(BindHandler parent) {
			super(parent);
		}

		@Override
		public @Nullable Object onSuccess(ConfigurationPropertyName name, Bindable<?> target, BindContext context,
				Object result) {
			Range range = range(name, target);
			Optional<String> text = text(name, context);
			if (text.isPresent() && (OWN.isAncestorOf(name) || range != null)
					&& !(permits(range, result) && hasUnit(text.get(), target))) {
				throw new WrongSetting(variable(name, context), text.get(), allowed(target, range));
			}
			return super.onSuccess(name, target, context, result);
		}

		@Override
		public @Nullable Object onFailure(ConfigurationPropertyName name, Bindable<?> target, BindContext context,
				Exception error) throws Exception {
			Optional<String> text = text(name, context);
			boolean refused = Throwables.getCausalChain(error).stream().anyMatch(WrongSetting.class::isInstance);
			if (!refused && text.isPresent() && variable(name, context).startsWith("MAILROOM_")) {
				throw new WrongSetting(variable(name, context), text.get(), allowed(target, range(name, target)));
			}
			return super.onFailure(name, target, context, error);
		}

		private @Nullable Range range(ConfigurationPropertyName name, Bindable<?> target) {
			Allowed allowed = target.getAnnotation(Allowed.class);
			return (allowed != null) ? new Range(allowed.from(), allowed.to(), allowed.or())
					: OTHERS.get(name.toString());
		}

		private boolean permits(@Nullable Range range, Object result) {
			if (range == null) {
				return true;
			}
			return (result instanceof Collection<?> all) ? !all.isEmpty() && all.stream().allMatch(range::permits)
					: range.permits(result);
		}

		/** Whether a duration or a size, or each of a list, has a unit or is zero. */
		private boolean hasUnit(String text, Bindable<?> target) {
			Class<?> type = type(target);
			return (type != Duration.class && type != DataSize.class) || Arrays.stream(text.split(","))
				.noneMatch((value) -> WITHOUT_UNIT.matcher(value.strip()).matches());
		}

		private String allowed(Bindable<?> target, @Nullable Range range) {
			return (list(target) ? "a list, separated by commas, of " : "") + kind(type(target))
					+ ((range != null) ? " " + range : "");
		}

		private String kind(Class<?> type) {
			if (type == Duration.class) {
				return "a duration with its unit, as 500ms, 30s, 5m, 72h or 30d,";
			}
			if (type == DataSize.class) {
				return "a size with its unit, as 64KB,";
			}
			if (type == Boolean.class) {
				return "true or false";
			}
			if (type.isEnum()) {
				return Arrays.stream(type.getEnumConstants())
					.map((value) -> ((Enum<?>) value).name().toLowerCase(Locale.ROOT))
					.collect(Collectors.joining(", ", "one of ", ""));
			}
			return Number.class.isAssignableFrom(type) ? "a number" : "a " + type.getSimpleName();
		}

	}

	/** The bounds of an {@link Allowed}. */
	private record Range(String from, String to, String or) {

		boolean permits(Object value) {
			BigDecimal number = number(value);
			return (number.compareTo(bound(this.from, value)) >= 0 && number.compareTo(bound(this.to, value)) <= 0)
					|| (!this.or.isEmpty() && number.compareTo(bound(this.or, value)) == 0);
		}

		private static BigDecimal bound(String text, Object value) {
			return switch (value) {
				case Duration _ -> number(DurationStyle.detectAndParse(text));
				case DataSize _ -> number(DataSize.parse(text));
				default -> new BigDecimal(text);
			};
		}

		private static BigDecimal number(Object value) {
			return switch (value) {
				case Duration duration -> BigDecimal.valueOf(duration.toMillis());
				case DataSize size -> BigDecimal.valueOf(size.toBytes());
				default -> new BigDecimal(value.toString());
			};
		}

		@Override
		public String toString() {
			return "from " + this.from + " to " + this.to + (this.or.isEmpty() ? "" : ", or " + this.or);
		}

	}

}
