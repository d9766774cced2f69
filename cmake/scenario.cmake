# libbristle-scenario: what scenario files mean; libyaml for text, nothing else beyond libbristle-sim.
if(WIN32)
  set(system windows)
elseif(CMAKE_SYSTEM_PROCESSOR STREQUAL wasm32)
  set(system wasm)
else()
  set(system posix)
endif()
bristle_library(bristle-scenario
  src/scenario/balance.c
  src/scenario/csv.c
  src/scenario/$<IF:$<BOOL:${BRISTLE_YAML}>,document.c,document_absent.c>
  src/scenario/help.c
  src/scenario/keys.c
  src/scenario/plausible.c
  src/scenario/quantity.c
  src/scenario/kinds.c
  src/scenario/model_cache.c
  src/scenario/model.c
  src/scenario/node.c
  src/scenario/noise.c
  src/scenario/pool.c
  src/scenario/read_body.c
  src/scenario/read_chain.c
  src/scenario/read_contact.c
  src/scenario/read_law.c
  src/scenario/read_patch.c
  src/scenario/read_field.c
  src/scenario/read_profile.c
  src/scenario/read_run.c
  src/scenario/read_sweep.c
  src/scenario/read_weight.c
  src/scenario/parse_context.c
  src/scenario/scenario.c
  src/scenario/scenario_body.c
  src/scenario/scenario_contact.c
  src/scenario/scenario_law.c
  src/scenario/scenario_mechanism.c
  src/scenario/scenario_slider.c
  src/scenario/schema.c
  src/scenario/set.c
  src/scenario/source.c
  src/scenario/system_${system}.c
  src/scenario/table.c
  src/scenario/text.c
  src/scenario/tree.c
  src/scenario/upgrade.c
  src/scenario/value.c
  src/sweep/formula.c
  src/sweep/indices.c
  src/sweep/local.c
  src/sweep/processors.c
  src/sweep/random.c
  src/sweep/run.c
  src/sweep/sensitivity.c
  src/sweep/sobol_points.c
  src/sweep/spec.c
  src/sweep/sweep.c
  src/sweep/units.c
  src/sweep/sweep_output.c)
target_compile_definitions(bristle-scenario-objects PRIVATE _POSIX_C_SOURCE=200809L)
if(BRISTLE_WASM) # the page has no use for help and schema
  target_compile_definitions(bristle-scenario-objects PRIVATE BRISTLE_NO_HELP)
endif()
bristle_link_libraries(bristle-scenario bristle-sim)

# cases of sweeps run in threads, where there are any
if(system STREQUAL posix)
  find_package(Threads REQUIRED)
  foreach(suffix IN ITEMS static shared)
    target_link_libraries(bristle-scenario-${suffix} PRIVATE
      $<BUILD_INTERFACE:Threads::Threads> $<INSTALL_INTERFACE:${CMAKE_THREAD_LIBS_INIT}>)
  endforeach()
endif()
if(BRISTLE_YAML)
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(YAML REQUIRED yaml-0.1)
  target_include_directories(bristle-scenario-objects PRIVATE ${YAML_INCLUDE_DIRS})
  target_compile_options(bristle-scenario-objects PRIVATE ${YAML_CFLAGS_OTHER})
  foreach(suffix IN ITEMS static shared)
    target_link_libraries(bristle-scenario-${suffix} PRIVATE
      $<BUILD_INTERFACE:${YAML_LINK_LIBRARIES}> $<INSTALL_INTERFACE:yaml>)
  endforeach()
endif()
