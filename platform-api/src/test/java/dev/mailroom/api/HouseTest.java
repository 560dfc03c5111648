package dev.mailroom.api;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import dev.mailroom.HouseRules;
import dev.mailroom.Refusal;
import dev.mailroom.StringConstants;
import org.junit.jupiter.api.Test;

import org.springframework.core.io.ClassPathResource;
import org.springframework.modulith.core.ApplicationModules;

import static org.assertj.core.api.Assertions.assertThat;

@AnalyzeClasses(packages = "dev.mailroom.api", importOptions = ImportOption.DoNotIncludeTests.class)
class HouseTest {

	@ArchTest
	static final ArchTests HOUSE = ArchTests.in(HouseRules.class);

	/** The core and this app. */
	private static final JavaClasses CLASSES = new ClassFileImporter()
		.withImportOption(new ImportOption.DoNotIncludeTests())
		.importPackages("dev.mailroom");

	@Test
	void modulesUseOnlyTheirDeclaredDependencies() {
		ApplicationModules.of("dev.mailroom.api").verify();
	}

	@Test
	void everyErrorOfTheContractHasAProducer() throws IOException {
		Set<String> constants = CLASSES.stream()
			.filter((type) -> !type.isArray())
			.flatMap((type) -> StringConstants.of(type).stream())
			.collect(Collectors.toUnmodifiableSet());
		assertThat(constants).containsAll(errors());
	}

	@Test
	void everyRefusalIsAnErrorOfTheContract() throws ReflectiveOperationException, IOException {
		Set<String> refusals = new TreeSet<>();
		List<JavaField> constants = CLASSES.stream()
			.flatMap((type) -> type.getFields().stream())
			.filter((field) -> field.getRawType().isEquivalentTo(Refusal.class)
					&& field.getModifiers().contains(JavaModifier.STATIC))
			.toList();
		for (JavaField constant : constants) {
			var field = constant.reflect();
			field.setAccessible(true);
			refusals.add(((Refusal) field.get(null)).error());
		}
		assertThat(refusals).hasSizeGreaterThan(20);
		assertThat(errors()).containsAll(refusals);
	}

	private static Set<String> errors() throws IOException {
		return new ClassPathResource("docs/errors.txt").getContentAsString(StandardCharsets.UTF_8)
			.lines()
			.map((line) -> line.split(" \\| ", 4)[1])
			.collect(Collectors.toCollection(TreeSet::new));
	}

}
